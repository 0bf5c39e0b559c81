import { ArchiveChannelPage } from "@/components/admin/channels/ArchiveChannelPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { archiveChannelPage } from "@/lib/admin/channels/channel_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(archiveChannelPage);

export default define.page<typeof handler>(({ data }) => <ArchiveChannelPage {...data} />);
