export { linkStatsPage as handler } from "@/lib/admin/pages/stats/link_stats.tsx";
