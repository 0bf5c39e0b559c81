import { DeactivateGroupPage } from "@/components/admin/groups/DeactivateGroupPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { deactivateGroupPage } from "@/lib/admin/groups/group_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(deactivateGroupPage);

export default define.page<typeof handler>(({ data }) => <DeactivateGroupPage {...data} />);
