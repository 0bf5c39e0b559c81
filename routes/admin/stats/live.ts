import { streamLiveFigures } from "@/lib/admin/stats/stats_live.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: streamLiveFigures });
