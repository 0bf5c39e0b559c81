export { archiveChannelPage as handler } from "@/lib/admin/pages/channels/channel.tsx";
