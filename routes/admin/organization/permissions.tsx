import { RealmPermissionsPage } from "@/components/admin/organization/RealmPermissionsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { realmPermissionsPage } from "@/lib/admin/organization/realm_permissions_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(realmPermissionsPage);

export default define.page<typeof handler>(({ data }) => <RealmPermissionsPage {...data} />);
