import { FolderPage } from "@/components/admin/channel_folders/FolderPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { folderPage } from "@/lib/admin/channel_folders/folder_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(folderPage);

export default define.page<typeof handler>(({ data }) => <FolderPage {...data} />);
