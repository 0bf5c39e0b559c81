import { StatsPage } from "@/components/admin/stats/StatsPage.tsx";
import { statsPage } from "@/lib/admin/stats_page.ts";
import { define } from "@/lib/http/services.ts";

export const handler = statsPage();

export default define.page<typeof handler>(({ data }) => <StatsPage {...data} />);
