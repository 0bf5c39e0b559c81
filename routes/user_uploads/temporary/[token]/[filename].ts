import { downloadTemporary } from "@/lib/http/download.ts";
import { methods } from "@/lib/http/methods.ts";

export const handler = methods({ GET: downloadTemporary });
