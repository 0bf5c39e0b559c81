import { readBulkActionProgress } from "@/lib/admin/pages/bulk_actions/bulk_action.tsx";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: readBulkActionProgress });
