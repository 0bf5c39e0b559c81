import { RemoveDomainPage } from "@/components/admin/organization/ConfirmOrganizationPages.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { removeDomainPage } from "@/lib/admin/organization/organization_domains.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(removeDomainPage);

export default define.page<typeof handler>(({ data }) => <RemoveDomainPage {...data} />);
