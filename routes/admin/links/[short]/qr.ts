import { downloadQrCode } from "@/lib/admin/pages/stats/link_stats.tsx";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: downloadQrCode });
