import { resumableUpload } from "@/lib/api/files/tus.ts";

export const handler = resumableUpload;
