import { NewUserPage } from "@/components/admin/users/NewUserPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newUserPage } from "@/lib/admin/users/users_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newUserPage);

export default define.page<typeof handler>(({ data }) => <NewUserPage {...data} />);
