import { ResetKeyPage } from "@/components/admin/users/ConfirmUserPages.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { resetKeyPage } from "@/lib/admin/users/user_confirm_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(resetKeyPage);

export default define.page<typeof handler>(({ data }) => <ResetKeyPage {...data} />);
