import { FoldersPage } from "@/components/admin/channel_folders/FoldersPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { foldersPage } from "@/lib/admin/channel_folders/folders_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(foldersPage);

export default define.page<typeof handler>(({ data }) => <FoldersPage {...data} />);
