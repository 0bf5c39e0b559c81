import type { Key } from "@/lib/kv/key.ts";

/** A picture as it was sent. */
export interface Picture {
  readonly content: Uint8Array;
  /** As its first bytes tell it. */
  readonly contentType: string;
}

/** A picture of an account or an organization. */
export interface PictureRecord {
  readonly content_type: string;
  /** Bytes. */
  readonly size: number;
}

/** A stored picture: its bytes as they come, and how many. */
export interface OpenedPicture {
  readonly contentType: string;
  readonly size: number;
  readonly content: ReadableStream<Uint8Array>;
}

const PLACE = "picture_chunk";

/** Where pictures of accounts and organizations lie in the store. */
export const pictureKeys = {
  /** What the keys of their chunks begin with behind the organization's id. */
  place: PLACE,
  pictures: (realmId: number): Key => [realmId, "picture"],
  picture: (realmId: number, id: string): Key => [realmId, "picture", id],
  chunks: (realmId: number, id: string): Key => [realmId, PLACE, id],
};
