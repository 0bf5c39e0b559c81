import { listValues } from "@/lib/store/reads.ts";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";

const WIDGET_TYPES = ["poll", "todo"] as const;
export type WidgetType = typeof WIDGET_TYPES[number];

/** A widget as clients receive it: the text of its message in parts. */
interface Widget {
  readonly widget_type: WidgetType;
  readonly extra_data:
    | { readonly question: string; readonly options: readonly string[] }
    | {
      readonly task_list_title: string;
      readonly tasks: readonly { readonly task: string; readonly desc: string }[];
    };
}

/** Returns the kind of widget that a message becomes; null for an ordinary message. */
export function findWidgetType(content: string): WidgetType | null {
  const name = /^\/(\w+)(?!\S)/.exec(content)?.[1];
  return WIDGET_TYPES.find((type) => type === name) ?? null;
}

/**
 * Parses the text of a message that begins with `/poll` or `/todo`: what follows in the first line is the question or
 * the title, and each other line is an option, or a task with an optional description after a colon.
 */
export function parseWidget(widget_type: WidgetType, content: string): Widget {
  const [title = "", ...lines] = content.slice(widget_type.length + 1).split(/\r\n?|\n/);
  const items = lines.map((line) => line.trim().replace(/^[-*]?\s*/, "")).filter((item) => item !== "");
  if (widget_type === "poll") return { widget_type, extra_data: { question: title.trim(), options: items } };
  return { widget_type, extra_data: { task_list_title: title.trim(), tasks: items.map(parseTask) } };
}

function parseTask(item: string): { task: string; desc: string } {
  const at = item.indexOf(": ");
  return at < 0
    ? { task: item.trim(), desc: "" }
    : { task: item.slice(0, at).trim(), desc: item.slice(at + 2).trim() };
}

/** A change of a widget by a user, such as a vote, as it is stored. */
interface StoredSubmessage {
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

interface SubmessageCount {
  readonly count: number;
  /** Number of records that hold them; the last one may not be full. */
  readonly pages: number;
}

/** The part of a message that its submessages depend on. */
interface WidgetMessage {
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
const MAX_PAGE_BYTES = 50_000;
/** Maximum number of records of one message, which bounds the size of the message in responses. */
export const MAX_PAGES = 10;
/** Size of a stored submessage without its content, in bytes. */
const ENTRY_BYTES = 40;
/** Factor between the ids of messages and submessages; more than the submessages that MAX_PAGES hold. */
const IDS_PER_MESSAGE = 100_000;

const submessageKeys = {
  count: (realmId: number, messageId: number): Key => [realmId, "submessage_count", messageId],
  /** Prefix of the records with a message's submessages, which are numbered from 1. */
  pages: (realmId: number, messageId: number): Key => [realmId, "submessage", messageId],
  page: (realmId: number, messageId: number, page: number): Key => [realmId, "submessage", messageId, page],
};

/** Returns an upper bound of the stored size of submessages, in bytes; a UTF-16 unit takes up to two. */
function countPageBytes(page: readonly StoredSubmessage[]): number {
  return page.reduce((sum, { content }) => sum + ENTRY_BYTES + 2 * content.length, 0);
}

/** Returns the id of a submessage by its position: 0 for the widget, from 1 for its changes. */
function toSubmessageId(messageId: number, position: number): number {
  return messageId * IDS_PER_MESSAGE + position;
}

const NONE: SubmessageCount = { count: 0, pages: 0 };

/** Reads the submessages of a message: the widget, then its changes, oldest first; none for an ordinary message. */
export async function readSubmessages(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  message: WidgetMessage,
): Promise<readonly Submessage[]> {
  if (message.widget_type === undefined) return [];
  const prefix = submessageKeys.pages(realmId, message.id);
  const stored = await listValues<readonly StoredSubmessage[]>(store.kv, prefix);
  const content = JSON.stringify(parseWidget(message.widget_type, message.content));
  return [{ sender_id: message.sender_id, content }, ...stored.flat()].map((submessage, position) => ({
    id: toSubmessageId(message.id, position),
    message_id: message.id,
    sender_id: submessage.sender_id,
    msg_type: "widget",
    content: submessage.content,
  }));
}

/** @throws AppError BAD_REQUEST when the message has too many. */
export async function appendSubmessage(
  tx: Tx,
  { realmId, messageId }: { realmId: number; messageId: number },
  submessage: StoredSubmessage,
): Promise<number> {
  const countKey = submessageKeys.count(realmId, messageId);
  const { count, pages } = await tx.get<SubmessageCount>(countKey) ?? NONE;
  const last = await tx.get<readonly StoredSubmessage[]>(submessageKeys.page(realmId, messageId, pages)) ??
    [];
  const extended = [...last, submessage];
  const isFull = pages === 0 || countPageBytes(extended) > MAX_PAGE_BYTES;
  if (isFull && pages === MAX_PAGES) {
    throw new AppError("BAD_REQUEST", "This message cannot take any more changes.");
  }
  const page = isFull ? pages + 1 : pages;
  tx.set(submessageKeys.page(realmId, messageId, page), isFull ? [submessage] : extended);
  tx.set(countKey, { count: count + 1, pages: page } satisfies SubmessageCount);
  return toSubmessageId(messageId, count + 1);
}

export async function deleteSubmessages(
  tx: Tx,
  realmId: number,
  { id, widget_type }: Pick<WidgetMessage, "id" | "widget_type">,
): Promise<void> {
  if (widget_type === undefined) return;
  const countKey = submessageKeys.count(realmId, id);
  const { pages } = await tx.get<SubmessageCount>(countKey) ?? NONE;
  tx.delete(countKey);
  for (let page = 1; page <= pages; page++) tx.delete(submessageKeys.page(realmId, id, page));
}

/** A submessage as messages contain it. */
export const submessageSchema = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.literal("widget"),
  content: z.string().meta({ description: "JSON: first the widget, then its changes." }),
}).meta({ id: "Submessage" });
