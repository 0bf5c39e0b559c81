import { InviteUrlPage } from "@/components/admin/invitations/InviteUrlPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { inviteUrlPage } from "@/lib/admin/invitations/invitation_end_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(inviteUrlPage);

export default define.page<typeof handler>(({ data }) => <InviteUrlPage {...data} />);
