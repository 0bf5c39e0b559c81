export { overviewPage as handler } from "@/lib/admin/pages/overview.tsx";
