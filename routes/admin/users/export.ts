import { exportUsers } from "@/lib/admin/users/users_export.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: exportUsers });
