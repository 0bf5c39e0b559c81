import { ImportUsersPage } from "@/components/admin/users/ImportUsersPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { importUsersPage } from "@/lib/admin/users/import_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(importUsersPage);

export default define.page<typeof handler>(({ data }) => <ImportUsersPage {...data} />);
