export { invitationsPage as handler } from "@/lib/admin/pages/invitations/invitations.tsx";
