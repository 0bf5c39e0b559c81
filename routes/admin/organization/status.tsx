export { statusPage as handler } from "@/lib/admin/pages/organization/status.tsx";
