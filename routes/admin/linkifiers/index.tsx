import { LinkifiersPage } from "@/components/admin/linkifiers/LinkifiersPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { linkifiersPage } from "@/lib/admin/linkifiers/linkifiers_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(linkifiersPage);

export default define.page<typeof handler>(({ data }) => <LinkifiersPage {...data} />);
