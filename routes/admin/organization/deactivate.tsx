import { DeactivateOrganizationPage } from "@/components/admin/organization/ConfirmOrganizationPages.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { closingPage } from "@/lib/admin/organization/organization_closing.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(closingPage);

export default define.page<typeof handler>(({ data }) => <DeactivateOrganizationPage {...data} />);
