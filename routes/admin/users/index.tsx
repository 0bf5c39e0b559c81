import { UsersPage } from "@/components/admin/users/UsersPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { usersPage } from "@/lib/admin/users/users_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(usersPage);

export default define.page<typeof handler>(({ data }) => <UsersPage {...data} />);
