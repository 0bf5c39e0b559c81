import { ArchiveFolderPage } from "@/components/admin/folders/FolderPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { archiveFolderPage } from "@/lib/admin/folder_page.ts";
import { define } from "@/lib/http/services.ts";

export const handler = adminPage(archiveFolderPage);

export default define.page<typeof handler>(({ data }) => <ArchiveFolderPage {...data} />);
