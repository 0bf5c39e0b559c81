import { InvitationLinkPage } from "@/components/admin/invitations/InvitationLinkPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { invitationLinkPage } from "@/lib/admin/invitations/invitation_link_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(invitationLinkPage);

export default define.page<typeof handler>(({ data }) => <InvitationLinkPage {...data} />);
