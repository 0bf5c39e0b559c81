import { registerCalls } from "@/lib/http/call_pages.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ GET: registerCalls });
