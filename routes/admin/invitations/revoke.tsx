import { RevokeInvitationsPage } from "@/components/admin/invitations/ConfirmInvitationPages.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { revokeManyPage } from "@/lib/admin/invitations/invitation_end_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(revokeManyPage);

export default define.page<typeof handler>(({ data }) => <RevokeInvitationsPage {...data} />);
