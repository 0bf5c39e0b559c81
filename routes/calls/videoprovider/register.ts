import { methods } from "@/lib/api/methods.ts";
import { registerCalls } from "@/lib/pages/call_pages.ts";

export const handler = methods({ GET: registerCalls });
