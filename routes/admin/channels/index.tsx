import { ChannelsPage } from "@/components/admin/channels/ChannelsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { channelsPage } from "@/lib/admin/channels/channels_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(channelsPage);

export default define.page<typeof handler>(({ data }) => <ChannelsPage {...data} />);
