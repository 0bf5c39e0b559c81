import { DeleteLinkPage } from "@/components/admin/links/DeleteLinkPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { deleteLinkPage } from "@/lib/admin/links/link_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(deleteLinkPage);

export default define.page<typeof handler>(({ data }) => <DeleteLinkPage {...data} />);
