import { StatsPage } from "@/components/admin/stats/StatsPage.tsx";
import { statsPage } from "@/lib/admin/stats/stats_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = statsPage();

export default define.page<typeof handler>(({ data }) => <StatsPage {...data} />);
