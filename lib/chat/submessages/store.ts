import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import {
  countPageBytes,
  MAX_PAGE_BYTES,
  MAX_PAGES,
  type StoredSubmessage,
  type Submessage,
  type SubmessageCount,
  submessageKeys,
  toSubmessageId,
  toSubmessages,
  type WidgetMessage,
} from "./model/submessage.ts";

const NONE: SubmessageCount = { count: 0, pages: 0 };

/** Reads the submessages of a message, oldest first; reads nothing for an ordinary message. */
export async function readSubmessages(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
  message: WidgetMessage,
): Promise<readonly Submessage[]> {
  if (message.widget_type === undefined) return [];
  const stored: StoredSubmessage[] = [];
  for await (const entry of store.kv.list({ prefix: [...submessageKeys.pages(realmId, message.id)] })) {
    stored.push(...toEntry<readonly StoredSubmessage[]>(entry).value);
  }
  return toSubmessages(message, stored);
}

/**
 * Adds a submessage to a message in a transaction and returns its id.
 * @throws AppError BAD_REQUEST when the message has too many.
 */
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

/** Deletes the submessages of a message that is deleted. */
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
