import { downloadQrCode } from "@/lib/admin/stats/link_stats_page.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: downloadQrCode });
