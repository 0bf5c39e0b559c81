import { LinkStatsPage } from "@/components/admin/stats/LinkStatsPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { linkStatsPage } from "@/lib/admin/stats/link_stats_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(linkStatsPage);

export default define.page<typeof handler>(({ data }) => <LinkStatsPage {...data} />);
