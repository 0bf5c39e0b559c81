import { NewLinkifierPage } from "@/components/admin/linkifiers/LinkifierPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newLinkifierPage } from "@/lib/admin/linkifiers/linkifier_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newLinkifierPage);

export default define.page<typeof handler>(({ data }) => <NewLinkifierPage {...data} />);
