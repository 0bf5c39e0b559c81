export { channelPermissionsPage as handler } from "@/lib/admin/pages/channels/channel_permissions.tsx";
