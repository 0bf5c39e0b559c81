import { OverviewPage } from "@/components/admin/overview/OverviewPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { overviewPage } from "@/lib/admin/overview/overview_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(overviewPage);

export default define.page<typeof handler>(({ data }) => <OverviewPage {...data} />);
