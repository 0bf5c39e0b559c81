import { LinkStatsPage } from "@/components/admin/stats/LinkStatsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { linkStatsPage } from "@/lib/admin/stats/link_stats_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(linkStatsPage);

export default define.page<typeof handler>(({ data }) => <LinkStatsPage {...data} />);
