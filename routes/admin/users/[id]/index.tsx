import { UserPage } from "@/components/admin/users/UserPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { userPage } from "@/lib/admin/users/user_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(userPage);

export default define.page<typeof handler>(({ data }) => <UserPage {...data} />);
