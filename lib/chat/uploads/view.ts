import type { UploadRecord } from "./upload.ts";

/** An upload as its owner is told of it; times in seconds since 1970 UTC. */
export function toAttachment(
  { id, name, path_id, size, created_at }: UploadRecord,
  messageIds: readonly number[],
) {
  return {
    id,
    name,
    path_id,
    size,
    create_time: Math.floor(created_at / 1000),
    message_ids: messageIds,
  };
}
