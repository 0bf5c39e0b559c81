import { RemoveDomainPage } from "@/components/admin/organization/ConfirmOrganizationPages.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { removeDomainPage } from "@/lib/admin/organization/organization_domains.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(removeDomainPage);

export default define.page<typeof handler>(({ data }) => <RemoveDomainPage {...data} />);
