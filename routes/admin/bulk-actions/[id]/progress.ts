import { readBulkActionProgress } from "@/lib/admin/bulk_actions/bulk_action_progress.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: readBulkActionProgress });
