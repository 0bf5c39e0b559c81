import { ArchiveChannelPage } from "@/components/admin/channels/ArchiveChannelPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { archiveChannelPage } from "@/lib/admin/channels/channel_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = adminPage(archiveChannelPage);

export default define.page<typeof handler>(({ data }) => <ArchiveChannelPage {...data} />);
