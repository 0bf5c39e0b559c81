import { ChannelPage } from "@/components/admin/channels/ChannelPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { channelPage } from "@/lib/admin/channels/channel_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(channelPage);

export default define.page<typeof handler>(({ data }) => <ChannelPage {...data} />);
