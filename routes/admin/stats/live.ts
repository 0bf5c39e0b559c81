import { streamLiveFigures } from "@/lib/admin/stats_live.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ GET: streamLiveFigures });
