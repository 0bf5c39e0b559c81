import { ImportLinkifiersPage } from "@/components/admin/linkifiers/ImportLinkifiersPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { importLinkifiersPage } from "@/lib/admin/linkifiers/import_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(importLinkifiersPage);

export default define.page<typeof handler>(({ data }) => <ImportLinkifiersPage {...data} />);
