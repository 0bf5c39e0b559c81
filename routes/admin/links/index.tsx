import { LinksPage } from "@/components/admin/links/LinksPage.tsx";
import { linksPage } from "@/lib/admin/links/links_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = linksPage();

export default define.page<typeof handler>(({ data }) => <LinksPage {...data} />);
