import { BulkActionPage } from "@/components/admin/bulk_actions/BulkActionPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { bulkActionPage } from "@/lib/admin/bulk_actions/bulk_action_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(bulkActionPage);

export default define.page<typeof handler>(({ data }) => <BulkActionPage {...data} />);
