import { NewBulkActionPage } from "@/components/admin/bulk_actions/NewBulkActionPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { newBulkActionPage } from "@/lib/admin/bulk_actions/new_bulk_action_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(newBulkActionPage);

export default define.page<typeof handler>(({ data }) => <NewBulkActionPage {...data} />);
