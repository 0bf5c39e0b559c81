import type { Readable } from "node:stream";
import { DataStore, ERRORS, Upload } from "@tus/server";
import type { ChatApp } from "@/lib/chat/app.ts";
import { RESUMABLE_UPLOAD_MS, type ResumableUploadRecord } from "@/lib/chat/files/model.ts";
import {
  appendToResumableUpload,
  createResumableUpload,
  deleteResumableUpload,
  readResumableUpload,
} from "@/lib/chat/files/resumable_uploads.ts";
import type { Caller } from "@/lib/chat/users/model.ts";
import type { PieceTurns } from "./piece_turns.ts";

/**
 * The uploads of one account in the form that the protocol's library takes; their ids are Sotto's. The library would
 * judge expiry by the system's clock, so it knows of none: an upload that has expired is not found here.
 */
export class TusStore extends DataStore {
  #expiresAt: number | null = null;

  constructor(
    private readonly app: ChatApp,
    private readonly uploader: Caller,
    private readonly turns: PieceTurns,
  ) {
    super();
    this.extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const { size = 0, metadata = {} } = upload;
    const record = await createResumableUpload(this.app, this.uploader, { size, metadata });
    this.#expiresAt = record.created_at + RESUMABLE_UPLOAD_MS;
    upload.id = record.id;
    upload.creation_date = toTime(record);
    return upload;
  }

  override async write(content: Readable, id: string): Promise<number> {
    try {
      const record = await this.find(id);
      const pieces = this.turns.consume(content);
      return await appendToResumableUpload(this.app, this.uploader.realm.id, { record, content: pieces });
    } finally {
      this.turns.close();
    }
  }

  override async getUpload(id: string): Promise<Upload> {
    const record = await this.find(id);
    const { size, offset, metadata } = record;
    return new Upload({ id, size, offset, metadata: { ...metadata }, creation_date: toTime(record) });
  }

  override async remove(id: string): Promise<void> {
    const record = await this.find(id);
    if (record.upload_id !== null) throw ERRORS.INVALID_TERMINATION;
    await deleteResumableUpload(this.app, this.uploader.realm.id, record);
  }

  override getExpiration(): number {
    return 0;
  }

  /** When the upload that was created or read last expires, in milliseconds since 1970 UTC; null for none. */
  get expiresAt(): number | null {
    return this.#expiresAt;
  }

  /** Marks the upload as finished: its file does not expire. */
  forgetExpiry(): void {
    this.#expiresAt = null;
  }

  private async find(id: string): Promise<ResumableUploadRecord> {
    const record = await readResumableUpload(this.app, this.uploader, id);
    if (record === null) throw ERRORS.FILE_NOT_FOUND;
    this.#expiresAt = record.created_at + RESUMABLE_UPLOAD_MS;
    return record;
  }
}

function toTime({ created_at }: ResumableUploadRecord): string {
  return new Date(created_at).toISOString();
}
