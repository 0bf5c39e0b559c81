import { GroupPage } from "@/components/admin/groups/GroupPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { groupPage } from "@/lib/admin/groups/group_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(groupPage);

export default define.page<typeof handler>(({ data }) => <GroupPage {...data} />);
