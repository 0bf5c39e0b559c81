import { InvitationsPage } from "@/components/admin/invitations/InvitationsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { invitationsPage } from "@/lib/admin/invitations/invitations_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(invitationsPage);

export default define.page<typeof handler>(({ data }) => <InvitationsPage {...data} />);
