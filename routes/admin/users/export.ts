import { exportUsers } from "@/lib/admin/pages/users/users_list.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: exportUsers });
