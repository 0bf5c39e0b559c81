import { findPage } from "@/lib/admin/serve_page.ts";
import { requireAdminSession } from "@/lib/pages/admin_gate.ts";
import { pagePolicy } from "@/lib/pages/page_policy.ts";

export const handler = [...pagePolicy, findPage, requireAdminSession];
