import { adminGate } from "@/lib/http/admin_gate.ts";
import { pagePolicy } from "@/lib/http/page_policy.ts";

export const handler = [...pagePolicy, adminGate];
