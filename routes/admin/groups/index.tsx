import { GroupsPage } from "@/components/admin/groups/GroupsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { groupsPage } from "@/lib/admin/groups/groups_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(groupsPage);

export default define.page<typeof handler>(({ data }) => <GroupsPage {...data} />);
