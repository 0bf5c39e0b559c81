export { revokeReusablePage as handler } from "@/lib/admin/pages/invitations/invitation_actions.tsx";
