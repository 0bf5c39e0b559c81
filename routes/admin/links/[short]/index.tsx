import { LinkPage } from "@/components/admin/links/LinkPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { linkPage } from "@/lib/admin/links/link_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(linkPage);

export default define.page<typeof handler>(({ data }) => <LinkPage {...data} />);
