import { UserPermissionsPage } from "@/components/admin/users/UserPermissionsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { userPermissionsPage } from "@/lib/admin/users/user_permissions_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(userPermissionsPage);

export default define.page<typeof handler>(({ data }) => <UserPermissionsPage {...data} />);
