export { newChannelPage as handler } from "@/lib/admin/pages/channels/new_channel.tsx";
