import { methods } from "@/lib/api/methods.ts";
import { completeCalls } from "@/lib/pages/call_pages.ts";

export const handler = methods({ GET: completeCalls });
