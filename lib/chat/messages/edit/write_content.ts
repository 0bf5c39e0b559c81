import { difference } from "es-toolkit/array/difference";
import type { Tx } from "@/lib/store/transact.ts";
import { updateReferences } from "@/lib/chat/files/store.ts";
import { countHtmlWrites, deleteHtmlPieces, toInlineHtml, writeHtmlPieces } from "../store.ts";
import type { EditRecord } from "./model.ts";
import { messageKeys, type MessageRecord } from "../model.ts";
import type { PreparedContent } from "../render/prepare_content.ts";
import { facetKey, listFacets, MAX_FACETS } from "../narrow/model/facets.ts";
import { MAX_CHANGE_WRITES, recordWordChange } from "../word_index/store.ts";
import { searchWords } from "../narrow/model/search_words.ts";

/** A message before an edit of its content, and the new content. */
export interface ContentEdit {
  readonly before: MessageRecord;
  readonly prepared: PreparedContent;
  /** User ids of the conversation; null in channels. */
  readonly participants: readonly number[] | null;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Returns the message with its content replaced. */
export function toEditedMessage(
  before: MessageRecord,
  prepared: PreparedContent,
  now: number,
): MessageRecord {
  const { content, mentions, has_link, has_image, has_attachment, is_me_message } = prepared;
  const { upload_ids } = prepared;
  const flags = { has_link, has_image, has_attachment, is_me_message, upload_ids };
  return { ...before, content, mentions, ...flags, rendered: toInlineHtml(prepared), edited_at: now };
}

/** Returns the history fields of a content that is replaced. */
export function toPreviousContent(
  before: MessageRecord,
): Pick<EditRecord, "prev_content" | "prev_rendered_content"> {
  return {
    prev_content: before.content,
    ...(before.rendered === null ? {} : { prev_rendered_content: before.rendered }),
  };
}

/** Returns the number of keys that `writeContent` writes at most. */
export function countContentWrites({ before, prepared }: ContentEdit): number {
  const mentions = before.mentions.user_ids.length + prepared.mentions.user_ids.length;
  // Each reference writes its key, its time and an event.
  const references = 3 * ((before.upload_ids?.length ?? 0) + prepared.upload_ids.length);
  return MAX_CHANGE_WRITES + mentions + references + countHtmlWrites() + 2 * MAX_FACETS;
}

/** Writes everything that depends on a message's content, except its record. */
export function writeContent(tx: Tx, realmId: number, edit: ContentEdit): void {
  const { before, prepared, participants } = edit;
  const words = searchWords(before.content).symmetricDifference(searchWords(prepared.content));
  recordWordChange(tx, realmId, { ids: [before.id], words });
  writeFacets(tx, realmId, edit);
  writeMentions(tx, realmId, { before, prepared, participants });
  const references = { before: before.upload_ids ?? [], after: prepared.upload_ids };
  updateReferences(tx, { realmId, messageId: before.id, ...references, now: edit.now });
  const key = messageKeys.rendered(realmId, before.id);
  const pieces = toInlineHtml(prepared) === null ? writeHtmlPieces(tx, key, prepared.html) : 0;
  if (before.rendered !== null) return;
  deleteHtmlPieces(tx, key, pieces);
}

function writeFacets(tx: Tx, realmId: number, { before, prepared }: ContentEdit): void {
  const old = listFacets(before);
  const now = listFacets(prepared);
  for (const facet of difference(now, old)) {
    tx.set([...facetKey(realmId, facet), before.id], true);
  }
  for (const facet of difference(old, now)) tx.delete([...facetKey(realmId, facet), before.id]);
}

function writeMentions(
  tx: Tx,
  realmId: number,
  { before, prepared, participants }: Omit<ContentEdit, "now">,
): void {
  const isParticipant = (userId: number) => participants === null || participants.includes(userId);
  const [old, now] = [before.mentions.user_ids, prepared.mentions.user_ids.filter(isParticipant)];
  for (const userId of now) tx.set([...messageKeys.mentioned(realmId, userId), before.id], true);
  for (const userId of old.filter((each) => !now.includes(each))) {
    tx.delete([...messageKeys.mentioned(realmId, userId), before.id]);
  }
}
