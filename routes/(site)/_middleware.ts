import { pagePolicy } from "@/lib/http/page_policy.ts";

export const handler = pagePolicy;
