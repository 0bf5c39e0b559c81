import { exportStats } from "@/lib/admin/stats/stats_export.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: exportStats });
