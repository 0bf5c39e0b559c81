import { downloadExport } from "@/lib/api/files/download.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: downloadExport });
