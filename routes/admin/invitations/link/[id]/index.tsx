export { invitationLinkPage as handler } from "@/lib/admin/pages/invitations/invitation_link.tsx";
