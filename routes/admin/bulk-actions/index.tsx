import { BulkActionsPage } from "@/components/admin/bulk_actions/BulkActionsPage.tsx";
import { pageHandler } from "@/lib/admin/admin_page.ts";
import { bulkActionsPage } from "@/lib/admin/bulk_actions/bulk_actions_page.ts";
import { define } from "@/lib/services/services.ts";

export const handler = pageHandler(bulkActionsPage);

export default define.page<typeof handler>(({ data }) => <BulkActionsPage {...data} />);
