import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { changeClaims } from "../uploads/claims.ts";
import type { EditRecord } from "./history_record.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import type { PreparedContent } from "./prepare_content.ts";
import { searchWords } from "./search_words.ts";
import { inlineHtml, writePieces } from "./send.ts";

/** Of more changed words, those that are gone are taken from the index in a commit of their own. */
const MAX_WORDS_AT_ONCE = 500;
/** More pieces than any rendered text has. */
const MAX_PIECES = 12;

/** A message before and after an edit of its content. */
export interface ContentEdit {
  readonly before: MessageRecord;
  readonly prepared: PreparedContent;
  /** The people of the conversation; null in channels. */
  readonly participants: readonly number[] | null;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** A message with another content. */
export function withContent(before: MessageRecord, prepared: PreparedContent, now: number): MessageRecord {
  const { content, mentions, has_link, has_image, has_attachment, is_me_message } = prepared;
  const { upload_ids } = prepared;
  const flags = { has_link, has_image, has_attachment, is_me_message, upload_ids };
  return { ...before, content, mentions, ...flags, rendered: inlineHtml(prepared), edited_at: now };
}

/** What the history keeps of a content that is replaced. */
export function contentBefore(
  before: MessageRecord,
): Pick<EditRecord, "prev_content" | "prev_rendered_content"> {
  return {
    prev_content: before.content,
    ...(before.rendered === null ? {} : { prev_rendered_content: before.rendered }),
  };
}

/** How many keys `writeContent` writes at most. */
export function countContentWrites({ before, prepared }: ContentEdit): number {
  const { added, gone } = wordChanges(before.content, prepared.content);
  const mentions = before.mentions.user_ids.length + prepared.mentions.user_ids.length;
  // Beside the claim and its time, an event.
  const claims = 3 * ((before.upload_ids?.length ?? 0) + prepared.upload_ids.length);
  return added.length + (added.length + gone.length > MAX_WORDS_AT_ONCE ? 0 : gone.length) + mentions +
    claims + 2 * MAX_PIECES;
}

/** Writes what hangs on a message's content, its record aside. */
export function writeContent(tx: Tx, realmId: number, edit: ContentEdit): void {
  const { before, prepared, participants } = edit;
  const { added, gone } = wordChanges(before.content, prepared.content);
  for (const word of added) tx.set([...messageKeys.word(realmId, word), before.id], true);
  if (added.length + gone.length <= MAX_WORDS_AT_ONCE) {
    for (const word of gone) tx.delete([...messageKeys.word(realmId, word), before.id]);
  }
  writeMentions(tx, realmId, { before, prepared, participants });
  const claims = { before: before.upload_ids ?? [], after: prepared.upload_ids };
  changeClaims(tx, { realmId, messageId: before.id, ...claims, now: edit.now });
  const key = messageKeys.rendered(realmId, before.id);
  const pieces = inlineHtml(prepared) === null ? writePieces(tx, key, prepared.html) : 0;
  if (before.rendered !== null) return;
  for (let piece = pieces; piece < MAX_PIECES; piece++) tx.delete([...key, piece]);
}

function writeMentions(
  tx: Tx,
  realmId: number,
  { before, prepared, participants }: Omit<ContentEdit, "now">,
): void {
  const isThere = (userId: number) => participants === null || participants.includes(userId);
  const [old, now] = [before.mentions.user_ids, prepared.mentions.user_ids.filter(isThere)];
  for (const userId of now) tx.set([...messageKeys.mentioned(realmId, userId), before.id], true);
  for (const userId of old.filter((each) => !now.includes(each))) {
    tx.delete([...messageKeys.mentioned(realmId, userId), before.id]);
  }
}

/** Takes the words of a former content from the index that were left there because they were too many. */
export async function forgetWords(
  app: ChatApp,
  realmId: number,
  { before, prepared }: ContentEdit,
): Promise<void> {
  const { added, gone } = wordChanges(before.content, prepared.content);
  if (added.length + gone.length <= MAX_WORDS_AT_ONCE) return;
  await transact(app.store, async (tx) => {
    const message = await tx.get<MessageRecord>(messageKeys.message(realmId, before.id));
    // Whoever edits it once more, or deletes it, may need some of them.
    const kept = message === null ? new Set<string>() : searchWords(message.content);
    for (const word of gone) {
      if (!kept.has(word)) tx.delete([...messageKeys.word(realmId, word), before.id]);
    }
  });
}

function wordChanges(before: string, after: string): { added: string[]; gone: string[] } {
  const [old, now] = [searchWords(before), searchWords(after)];
  return { added: [...now.difference(old)], gone: [...old.difference(now)] };
}
