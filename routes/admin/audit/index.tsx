import { AuditPage } from "@/components/admin/audit/AuditPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { auditPage } from "@/lib/admin/audit/audit_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(auditPage);

export default define.page<typeof handler>(({ data }) => <AuditPage {...data} />);
