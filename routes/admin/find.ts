import { findRecords } from "@/lib/admin/find/find_records.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: findRecords });
