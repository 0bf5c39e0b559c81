import { page } from "fresh";
import { ApiDocs } from "@/components/docs/ApiDocs.tsx";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";

export const handler = methods<undefined>({ GET: () => Promise.resolve(page()) });

export default define.page<typeof handler>(() => <ApiDocs />);
