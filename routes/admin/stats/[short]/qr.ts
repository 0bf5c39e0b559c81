import { downloadQrCode } from "@/lib/admin/link_stats_page.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ GET: downloadQrCode });
