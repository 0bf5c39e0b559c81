import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { ChatApp } from "@/lib/chat/app.ts";
import {
  appendResumable,
  beginResumable,
  readResumable,
  removeResumable,
  RESUMABLE_MS,
  type ResumableRecord,
} from "@/lib/chat/uploads/resumable.ts";
import type { Caller } from "@/lib/chat/users/caller.ts";

/**
 * The uploads of one account in the form that the protocol's library takes; their ids are Sotto's. The library would
 * judge expiry by the system's clock, so it knows of none: an upload that has expired is not found here.
 */
export class TusStore extends DataStore {
  #expiresAt: number | null = null;

  constructor(private readonly app: ChatApp, private readonly uploader: Caller) {
    super();
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { size = 0, metadata = {} } = upload;
    const record = await beginResumable(this.app, this.uploader, { size, metadata });
    this.#expiresAt = record.created_at + RESUMABLE_MS;
    upload.id = record.id;
    upload.creation_date = toTime(record);
    return upload;
  }

  override async write(content: Readable, id: string): Promise<number> {
    const record = await this.find(id);
    return await appendResumable(this.app, this.uploader.realm.id, { record, content });
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.find(id);
    const { size, offset, metadata } = record;
    return new Upload({ id, size, offset, metadata: { ...metadata }, creation_date: toTime(record) });
  }

  override async remove(id: string): Promise<void> {
    const record = await this.find(id);
    if (record.upload_id !== null) throw ERRORS.INVALID_TERMINATION;
    await removeResumable(this.app, this.uploader.realm.id, record);
  }

  override getExpiration(): number {
    return 0;
  }

  /** When the upload that was created or read last expires, in milliseconds since 1970 UTC; null before the first. */
  get expiresAt(): number | null {
    return this.#expiresAt;
  }

  private async find(id: string): Promise<ResumableRecord> {
    const record = await readResumable(this.app, this.uploader, id);
    if (record === null) throw ERRORS.FILE_NOT_FOUND;
    this.#expiresAt = record.created_at + RESUMABLE_MS;
    return record;
  }
}

function toTime({ created_at }: ResumableRecord): string {
  return new Date(created_at).toISOString();
}
