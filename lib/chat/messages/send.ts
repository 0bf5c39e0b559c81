import { AppError } from "@/lib/core/errors.ts";
import type { JointTx } from "@/lib/kv/joint_commit.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { changeClaims, stillThere, tellOfClaims } from "../uploads/claims.ts";
import type { UserRecord } from "../users/user.ts";
import { foldTopic, messageKeys, type MessageRecord } from "./message.ts";
import { type MessageTarget, openPlace, type Recipient } from "./place.ts";
import type { PreparedContent } from "./prepare_content.ts";
import { hasDevices, notePushJob } from "./push_job.ts";
import { searchWords } from "./search_words.ts";

/** A message that somebody wants to send. */
export interface Sending {
  readonly realm: RealmRecord;
  readonly sender: UserRecord;
  readonly target: MessageTarget;
  readonly prepared: PreparedContent;
  /** The program that sends it. */
  readonly client: string;
}

/** UTF-16 units of content and rendered text that fit into one record. */
const MAX_INLINE_UNITS = 28_000;
/** UTF-16 units in one piece of what does not. */
const PIECE_UNITS = 28_000;
/** What a message's keys and indexes take beside its text, in bytes. */
const OVERHEAD_BYTES = 4000;

/**
 * Sends a message and gives its id once it is stored. Writes as much as the message has words and people that it speaks
 * to by name; how many receive it makes no difference.
 * @throws AppError BAD_REQUEST where the sender may not write there.
 */
export async function sendMessage(app: ChatApp, sending: Sending): Promise<number> {
  const isHeard = hasDevices(app, sending.realm.id);
  const sent = app.sends.run(async (tx) => {
    const permissions = await readPermissionContext(app, tx, sending.realm.id);
    const place = await openPlace(tx, permissions, sending);
    const upload_ids = await stillThere(tx, permissions.realm.id, sending.prepared.upload_ids);
    const prepared = { ...sending.prepared, upload_ids };
    const message = toRecord({ ...sending, prepared }, { id: tx.takeId(), place, now: permissions.now });
    writeMessage(tx, permissions, { message, place, prepared });
    if (upload_ids.length > 0) await tellOfClaims(app, tx, toClaims(permissions, message.id, upload_ids));
    if (await isHeard) {
      notePushJob(tx, { realmId: permissions.realm.id, messageId: message.id, now: permissions.now });
    }
    return message.id;
  });
  const [id, isToBeTold] = await Promise.all([sent, isHeard]);
  if (isToBeTold) app.wakeNotifier();
  return id;
}

function toClaims(
  { realm, now }: Pick<PermissionContext, "realm" | "now">,
  messageId: number,
  after: readonly number[],
) {
  return { realmId: realm.id, messageId, before: [], after, now };
}

function toRecord(
  { sender, client, prepared }: Sending,
  { id, place, now }: { id: number; place: Recipient; now: number },
): MessageRecord {
  const { content, mentions, has_link, has_image, has_attachment, is_me_message } = prepared;
  return {
    id,
    sender_id: sender.id,
    channel_id: place.kind === "channel" ? place.channel.id : null,
    topic: place.kind === "channel" ? place.topic : "",
    read_bucket: place.kind === "channel" ? foldTopic(place.topic) : "",
    conversation_id: place.kind === "direct" ? place.conversation.id : null,
    content,
    rendered: inlineHtml(prepared),
    client,
    sent_at: now,
    edited_at: null,
    moved_at: null,
    ...{ is_me_message, has_link, has_image, has_attachment, mentions },
    ...(prepared.upload_ids.length === 0 ? {} : { upload_ids: prepared.upload_ids }),
  };
}

interface Written {
  readonly message: MessageRecord;
  readonly place: Recipient;
  readonly prepared: PreparedContent;
}

function writeMessage(
  tx: JointTx,
  { realm, now }: PermissionContext,
  { message, place, prepared }: Written,
): void {
  const { id } = message;
  tx.set(messageKeys.message(realm.id, id), message);
  if (message.rendered === null) writePieces(tx, messageKeys.rendered(realm.id, id), prepared.html);
  tx.set([...messageKeys.sentBy(realm.id, message.sender_id), id], true);
  for (const word of searchWords(message.content)) tx.set([...messageKeys.word(realm.id, word), id], true);
  changeClaims(tx, toClaims({ realm, now }, id, prepared.upload_ids));
  const told = place.kind === "channel"
    ? writeToChannel(tx, { realmId: realm.id, message, place })
    : writeToConversation(tx, { realmId: realm.id, message, place });
  // Whoever is told reads the message itself: it is the same for all of them, and large.
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "message", message_id: id }, audience: told });
  tx.weigh(2 * (message.content.length + prepared.html.length) + OVERHEAD_BYTES);
}

/** The rendered text as a message's record holds it: null where it is too large and has to be written apart. */
export function inlineHtml({ content, html }: Pick<PreparedContent, "content" | "html">): string | null {
  return content.length + html.length <= MAX_INLINE_UNITS ? html : null;
}

/** Writes a rendered text in pieces, and gives how many there are. */
export function writePieces(tx: Tx, key: Key, text: string): number {
  let piece = 0;
  for (let at = 0; at < text.length; at += PIECE_UNITS) {
    tx.set([...key, piece++], text.slice(at, at + PIECE_UNITS));
  }
  return piece;
}

function writeToChannel(
  tx: JointTx,
  { realmId, message, place }: {
    realmId: number;
    message: MessageRecord;
    place: Extract<Recipient, { kind: "channel" }>;
  },
) {
  const { channel, topic } = place;
  tx.set([...messageKeys.ofChannel(realmId, channel.id), message.id], true);
  tx.set([...messageKeys.ofTopic(realmId, channel.id, topic), message.id], true);
  tx.sum(messageKeys.topicCount(realmId, channel.id, topic), 1n);
  for (const userId of message.mentions.user_ids) {
    tx.set([...messageKeys.mentioned(realmId, userId), message.id], true);
  }
  return { channel: channel.id };
}

function writeToConversation(
  tx: JointTx,
  { realmId, message, place }: {
    realmId: number;
    message: MessageRecord;
    place: Extract<Recipient, { kind: "direct" }>;
  },
) {
  const { id, user_ids } = place.conversation;
  tx.set([...messageKeys.ofConversation(realmId, id), message.id], true);
  for (const userId of user_ids) tx.set([...messageKeys.directOf(realmId, userId), message.id], true);
  for (const userId of message.mentions.user_ids.filter((mentioned) => user_ids.includes(mentioned))) {
    tx.set([...messageKeys.mentioned(realmId, userId), message.id], true);
  }
  return user_ids;
}

/**
 * The text of a message as it is kept: without NUL, and blank lines around it.
 * @throws AppError BAD_REQUEST for an empty one.
 */
export function requireContent(text: string): string {
  const content = text.replaceAll("\0", "").replace(/^(\s*\n)+/, "").trimEnd();
  if (content.trim() === "") throw new AppError("BAD_REQUEST", "Message must not be empty");
  return content;
}
