import { page } from "fresh";
import { ApiDocs } from "@/components/ApiDocs.tsx";
import { methods } from "@/lib/http/methods.ts";
import { define } from "@/lib/http/services.ts";

export const handler = methods<undefined>({ GET: () => Promise.resolve(page()) });

export default define.page<typeof handler>(() => <ApiDocs />);
