import { AuditPage } from "@/components/admin/audit/AuditPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { auditPage } from "@/lib/admin/audit/audit_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(auditPage);

export default define.page<typeof handler>(({ data }) => <AuditPage {...data} />);
