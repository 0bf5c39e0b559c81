import { StatusPage } from "@/components/admin/organization/StatusPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { statusPage } from "@/lib/admin/organization/status_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(statusPage);

export default define.page<typeof handler>(({ data }) => <StatusPage {...data} />);
