import { DeleteLinkifierPage } from "@/components/admin/linkifiers/LinkifierPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { deleteLinkifierPage } from "@/lib/admin/linkifiers/linkifier_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(deleteLinkifierPage);

export default define.page<typeof handler>(({ data }) => <DeleteLinkifierPage {...data} />);
