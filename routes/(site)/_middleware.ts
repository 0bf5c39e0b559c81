import { csp } from "fresh";
import { PAGE_DIRECTIVES } from "@/lib/http/security_headers.ts";

export const handler = csp({ csp: [...PAGE_DIRECTIVES], useNonce: true });
