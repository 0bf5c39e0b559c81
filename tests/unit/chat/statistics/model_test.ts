import assert from "node:assert/strict";
import { fileKindOf } from "@/lib/chat/organization/statistics/store.ts";

Deno.test("fileKindOf() distinguishes kinds by content type", () => {
  const kinds: Readonly<Record<string, string>> = {
    "image/webp": "image",
    "video/mp4": "video",
    "audio/ogg": "audio",
    "text/plain; charset=utf-8": "document",
    "application/pdf": "document",
    "application/vnd.oasis.opendocument.text": "document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "document",
    "application/vnd.ms-excel": "document",
    "application/zip": "other",
    "application/octet-stream": "other",
    "application/json": "other",
    "": "other",
  };
  for (const [type, kind] of Object.entries(kinds)) assert.equal(fileKindOf(type), kind, type);
});
