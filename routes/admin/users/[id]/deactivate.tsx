import { DeactivateUserPage } from "@/components/admin/users/ConfirmUserPages.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { deactivateUserPage } from "@/lib/admin/users/user_confirm_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(deactivateUserPage);

export default define.page<typeof handler>(({ data }) => <DeactivateUserPage {...data} />);
