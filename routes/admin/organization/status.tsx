import { StatusPage } from "@/components/admin/organization/StatusPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { statusPage } from "@/lib/admin/organization/status_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(statusPage);

export default define.page<typeof handler>(({ data }) => <StatusPage {...data} />);
