import { linksGate } from "@/lib/admin/links/links_gate.ts";

export const handler = [linksGate];
