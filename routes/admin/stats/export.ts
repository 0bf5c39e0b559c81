import { exportStats } from "@/lib/admin/stats_export.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ GET: exportStats });
