import { RevokeInvitationPage } from "@/components/admin/invitations/ConfirmInvitationPages.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { revokeEmailPage } from "@/lib/admin/invitations/invitation_end_pages.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(revokeEmailPage);

export default define.page<typeof handler>(({ data }) => <RevokeInvitationPage {...data} />);
