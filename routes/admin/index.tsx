import { OverviewPage } from "@/components/admin/OverviewPage.tsx";
import { methods } from "@/lib/api/methods.ts";
import { define } from "@/lib/services/services.ts";
import { page } from "fresh";

export const handler = methods<null>({ GET: () => Promise.resolve(page(null)) });

export default define.page<typeof handler>(() => <OverviewPage />);
