import { ChannelPermissionsPage } from "@/components/admin/channels/ChannelPermissionsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { channelPermissionsPage } from "@/lib/admin/channels/channel_permissions_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(channelPermissionsPage);

export default define.page<typeof handler>(({ data }) => <ChannelPermissionsPage {...data} />);
