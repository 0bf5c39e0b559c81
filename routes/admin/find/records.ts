import { sendFound } from "@/lib/admin/find/find_page.tsx";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: sendFound });
