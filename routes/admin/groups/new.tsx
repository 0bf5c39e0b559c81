import { NewGroupPage } from "@/components/admin/groups/NewGroupPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newGroupPage } from "@/lib/admin/groups/group_new_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newGroupPage);

export default define.page<typeof handler>(({ data }) => <NewGroupPage {...data} />);
