import { FolderPage } from "@/components/admin/folders/FolderPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { folderPage } from "@/lib/admin/folder_page.ts";
import { define } from "@/lib/http/services.ts";

export const handler = adminPage(folderPage);

export default define.page<typeof handler>(({ data }) => <FolderPage {...data} />);
