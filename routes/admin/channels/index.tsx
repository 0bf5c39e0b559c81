export { channelsPage as handler } from "@/lib/admin/pages/channels/channels.tsx";
