import { streamAdminEvents } from "@/lib/admin/events/admin_events.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: streamAdminEvents });
