import { linksGate } from "@/lib/admin/pages/links/links_gate.ts";

export const handler = [linksGate];
