import { exportActivity } from "@/lib/admin/activity/activity_export.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: exportActivity });
