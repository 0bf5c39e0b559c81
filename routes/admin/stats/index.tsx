export { statsPage as handler } from "@/lib/admin/pages/stats/stats.tsx";
