import { downloadTemporary } from "@/lib/api/files/download.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: downloadTemporary });
