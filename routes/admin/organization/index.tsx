import { OrganizationPage } from "@/components/admin/organization/OrganizationPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { organizationPage } from "@/lib/admin/organization/organization_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(organizationPage);

export default define.page<typeof handler>(({ data }) => <OrganizationPage {...data} />);
