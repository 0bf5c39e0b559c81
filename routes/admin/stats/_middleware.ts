import { statsGate } from "@/lib/admin/stats/stats_gate.ts";

export const handler = [statsGate];
