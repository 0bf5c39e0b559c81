import { streamAdminEvents } from "@/lib/admin/admin_events.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ GET: streamAdminEvents });
