import { ActivityPage } from "@/components/admin/activity/ActivityPage.tsx";
import { activityPage } from "@/lib/admin/activity/activity_page.ts";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(activityPage);

export default define.page<typeof handler>(({ data }) => <ActivityPage {...data} />);
