import { SignInLinkPage } from "@/components/admin/users/SignInLinkPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { signInLinkPage } from "@/lib/admin/users/user_confirm_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(signInLinkPage);

export default define.page<typeof handler>(({ data }) => <SignInLinkPage {...data} />);
