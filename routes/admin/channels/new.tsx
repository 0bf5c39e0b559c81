import { NewChannelPage } from "@/components/admin/channels/NewChannelPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newChannelPage } from "@/lib/admin/channels/channel_new_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newChannelPage);

export default define.page<typeof handler>(({ data }) => <NewChannelPage {...data} />);
