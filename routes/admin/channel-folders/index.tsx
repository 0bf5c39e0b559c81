import { FoldersPage } from "@/components/admin/folders/FoldersPage.tsx";
import { adminPage } from "@/lib/admin/admin_page.ts";
import { foldersPage } from "@/lib/admin/folders_page.ts";
import { define } from "@/lib/http/services.ts";

export const handler = adminPage(foldersPage);

export default define.page<typeof handler>(({ data }) => <FoldersPage {...data} />);
