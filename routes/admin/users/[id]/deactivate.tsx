import { DeactivateUserPage } from "@/components/admin/users/ConfirmUserPages.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { deactivateUserPage } from "@/lib/admin/users/user_confirm_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(deactivateUserPage);

export default define.page<typeof handler>(({ data }) => <DeactivateUserPage {...data} />);
