import type { ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { ConversationRecord, MessageRecord } from "../model.ts";

/** A message and the user who changes it. */
export interface EditRequest {
  readonly realm: RealmRecord;
  readonly editor: UserRecord;
  readonly id: number;
}

/** One change of a message; fields that did not change are absent. */
export interface EditRecord {
  readonly user_id: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Whether the content changed, even when the previous content was dropped from the history. */
  readonly is_content_edited: boolean;
  /** Markdown. */
  readonly prev_content?: string;
  /** HTML; absent when it was too large. */
  readonly prev_rendered_content?: string;
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_channel_id?: number;
  readonly channel_id?: number;
}

/** Maximum stored size of one message's history, in bytes; a store value holds 65,536. */
const MAX_BYTES = 50_000;
/** Size of an entry without its texts, in bytes. */
const ENTRY_BYTES = 200;

/**
 * Adds a change to a history, newest first. When the result is too large, the oldest HTML is dropped first,
 * then the oldest contents, then the oldest entries.
 */
export function prependEdit(history: readonly EditRecord[], edit: EditRecord): readonly EditRecord[] {
  const entries = [edit, ...history];
  let excess = countHistoryBytes(entries) - MAX_BYTES;
  const shrink = (at: number, smaller: EditRecord) => {
    excess -= countEntryBytes(entries[at] ?? smaller) - countEntryBytes(smaller);
    entries[at] = smaller;
  };
  for (const strip of [withoutRendered, withoutContent]) {
    for (let at = entries.length - 1; at >= 0 && excess > 0; at--) {
      const entry = entries[at];
      if (entry !== undefined) shrink(at, strip(entry));
    }
  }
  for (; excess > 0 && entries.length > 1;) excess -= countEntryBytes(entries.pop() ?? edit);
  return entries;
}

/** Returns an upper bound of the stored size of a history, in bytes. */
export function countHistoryBytes(history: readonly EditRecord[]): number {
  return history.reduce((sum, entry) => sum + countEntryBytes(entry), 0);
}

/** Returns an upper bound of the stored size of an entry; a UTF-16 unit takes up to two bytes. */
function countEntryBytes(
  { prev_content = "", prev_rendered_content = "", prev_topic = "", topic = "" }: EditRecord,
) {
  const units = prev_content.length + prev_rendered_content.length + prev_topic.length + topic.length;
  return ENTRY_BYTES + 2 * units;
}

function withoutRendered({ prev_rendered_content: _, ...rest }: EditRecord): EditRecord {
  return rest;
}

function withoutContent({ prev_content: _, prev_rendered_content: __, ...rest }: EditRecord): EditRecord {
  return rest;
}

/** Messages that move along with the edited one: none, the later ones of its topic, or all of its topic. */
export const PROPAGATE_MODES = ["change_one", "change_later", "change_all"] as const;

/** One of the propagate modes. */
export type PropagateMode = typeof PROPAGATE_MODES[number];

/** Returns whether a message of the same topic moves along with the edited one. */
export function isMovedAlong(
  mode: PropagateMode,
  { editedId, id }: { editedId: number; id: number },
): boolean {
  return id === editedId || mode === "change_all" || (mode === "change_later" && id > editedId);
}

/** Requested changes of a message. */
export interface MessageChange {
  readonly isContentEdited: boolean;
  /** Null when unchanged. */
  readonly topic: string | null;
  /** Null when unchanged. */
  readonly channelId: number | null;
  readonly mode: PropagateMode;
}

/** A message that a user can see and change, as read by the transaction. */
export type EditableMessage =
  | { readonly message: MessageRecord; readonly location: ChannelLocation }
  | { readonly message: MessageRecord; readonly location: DirectLocation };

/** An active channel, with the message visibility of the user who edits. */
export interface ChannelLocation {
  readonly kind: "channel";
  readonly channel: ChannelRecord;
  /** Returns whether the user can see a message of the channel. */
  readonly isVisible: (messageId: number) => boolean;
}

/** A conversation that the editing user takes part in. */
export interface DirectLocation {
  readonly kind: "direct";
  readonly conversation: ConversationRecord;
}
