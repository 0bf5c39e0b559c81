export { auditPage as handler } from "@/lib/admin/pages/audit/audit.tsx";
