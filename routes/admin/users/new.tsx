import { NewUserPage } from "@/components/admin/users/NewUserPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { newUserPage } from "@/lib/admin/users/users_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(newUserPage);

export default define.page<typeof handler>(({ data }) => <NewUserPage {...data} />);
