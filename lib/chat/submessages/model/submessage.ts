import type { Key } from "@/lib/store/key.ts";
import { parseWidget, type WidgetType } from "./widget.ts";

/** A change of a widget by a user, such as a vote, as it is stored. */
export interface StoredSubmessage {
  readonly sender_id: number;
  /** JSON. */
  readonly content: string;
}

/** A widget, or a change of it, as messages contain it. */
export interface Submessage extends StoredSubmessage {
  readonly id: number;
  readonly message_id: number;
  readonly msg_type: "widget";
}

/** Number of stored submessages of a message. */
export interface SubmessageCount {
  readonly count: number;
  /** Number of records that hold them; the last one has room for more. */
  readonly pages: number;
}

/** The part of a message that its submessages depend on. */
export interface WidgetMessage {
  readonly id: number;
  readonly sender_id: number;
  /** Markdown. */
  readonly content: string;
  /** Absent in ordinary messages. */
  readonly widget_type?: WidgetType;
}

/** Maximum length of the content of a submessage, in code points. */
export const MAX_SUBMESSAGE = 2000;
/** Maximum size of the submessages in one record, in bytes; a store value holds 65,536. */
export const MAX_PAGE_BYTES = 50_000;
/** Maximum number of records of one message, which bounds the size of the message in answers. */
export const MAX_PAGES = 10;
/** Size of a stored submessage without its content, in bytes. */
const ENTRY_BYTES = 40;
/** Factor between the ids of messages and submessages; more than the submessages that MAX_PAGES hold. */
const IDS_PER_MESSAGE = 100_000;

/** Keys of submessages. */
export const submessageKeys = {
  count: (realmId: number, messageId: number): Key => [realmId, "submessage_count", messageId],
  /** Prefix of the records with a message's submessages, which are numbered from 1. */
  pages: (realmId: number, messageId: number): Key => [realmId, "submessage", messageId],
  page: (realmId: number, messageId: number, page: number): Key => [realmId, "submessage", messageId, page],
};

/** Returns an upper bound of the stored size of submessages, in bytes; a UTF-16 unit takes up to two. */
export function countPageBytes(page: readonly StoredSubmessage[]): number {
  return page.reduce((sum, { content }) => sum + ENTRY_BYTES + 2 * content.length, 0);
}

/** Returns the id of a submessage by its position: 0 for the widget, from 1 for its changes. */
export function toSubmessageId(messageId: number, position: number): number {
  return messageId * IDS_PER_MESSAGE + position;
}

/** Returns all submessages of a message: the widget, then its changes, oldest first. */
export function toSubmessages(message: WidgetMessage, stored: readonly StoredSubmessage[]): Submessage[] {
  if (message.widget_type === undefined) return [];
  const content = JSON.stringify(parseWidget(message.widget_type, message.content));
  return [{ sender_id: message.sender_id, content }, ...stored].map((one, position) => ({
    id: toSubmessageId(message.id, position),
    message_id: message.id,
    sender_id: one.sender_id,
    msg_type: "widget",
    content: one.content,
  }));
}
