import { pagePolicy } from "@/lib/pages/page_policy.ts";

export const handler = pagePolicy;
