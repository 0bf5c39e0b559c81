import { statsGate } from "@/lib/admin/stats_gate.ts";

export const handler = [statsGate];
