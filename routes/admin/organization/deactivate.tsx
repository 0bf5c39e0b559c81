import { DeactivateOrganizationPage } from "@/components/admin/organization/ConfirmOrganizationPages.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { closingPage } from "@/lib/admin/organization/organization_closing.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(closingPage);

export default define.page<typeof handler>(({ data }) => <DeactivateOrganizationPage {...data} />);
