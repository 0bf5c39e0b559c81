import { OverviewPage } from "@/components/admin/OverviewPage.tsx";
import { methods } from "@/lib/http/methods.ts";
import { define } from "@/lib/http/services.ts";
import { page } from "fresh";

export const handler = methods<null>({ GET: () => Promise.resolve(page(null)) });

export default define.page<typeof handler>(() => <OverviewPage />);
