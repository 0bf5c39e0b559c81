import { resumableUpload } from "@/lib/http/tus.ts";

export const handler = resumableUpload;
