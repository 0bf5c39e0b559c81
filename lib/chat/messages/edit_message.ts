import { difference } from "es-toolkit/array/difference";
import { createHash } from "node:crypto";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { AppError } from "@/lib/core/errors.ts";
import { announceMove, type MovedMessages } from "@/lib/chat/messages/announce_moves.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  filterExistingUploads,
  listDetachedUploads,
  sendAttachmentUpdateEvents,
  updateReferences,
} from "@/lib/chat/messages/files/store.ts";
import type { UploadRecord } from "@/lib/chat/organization/files/model.ts";
import type { ParamValues } from "@/lib/chat/organization/params/param.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getActingUser } from "@/lib/chat/organization/users/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { diffMentions, messageKeys, type MessageRecord } from "./model.ts";
import {
  type CommitLoad,
  hasVisibleMessages,
  lockTopic,
  type MoveRequest,
  planMoveBatch,
  writeMoveBatch,
} from "./move_messages.ts";
import { planPolicyMove, writePolicyMove } from "../channels/topics/move_policies.ts";
import { countHtmlWrites, deleteHtmlPieces, toInlineHtml, writeHtmlPieces } from "./store.ts";
import { listIds } from "../../store/reads.ts";
import {
  type EditableMessage,
  type editMessageParams,
  getEditableMessage,
  parseMessageChange,
  requireCanEditContent,
  toEditedContent,
} from "./edit_rules.ts";
import { type EditRecord, writeEditedMessage } from "./edit_history.ts";
import { type PreparedContent, prepareUserContent } from "./prepare_content.ts";
import { facetKey, listFacets, MAX_FACETS } from "./narrow/facets.ts";
import { MAX_CHANGE_WRITES, recordWordChange } from "./word_index/store.ts";
import { searchWords } from "./narrow/search_words.ts";
import { sendContentEditEvent, sendMoveEvents } from "./events.ts";
import { enqueueMentionPush, hasPushDevices } from "./push_jobs.ts";
import { requireWildcardAllowed } from "./send_message.ts";

/** The message to edit, and its changes. */
type EditParams = ParamValues<typeof editMessageParams> & { readonly id: number };

interface ContentEdit {
  readonly before: MessageRecord;
  readonly prepared: PreparedContent;
  /** User ids of the conversation; null in channels. */
  readonly participants: readonly number[] | null;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

function toEditedMessage(
  before: MessageRecord,
  prepared: PreparedContent,
  now: number,
): MessageRecord {
  const { html: _html, mentioned_bot_ids: _bots, ...stored } = prepared;
  return { ...before, ...stored, rendered: toInlineHtml(prepared), edited_at: now };
}

/** Returns the history fields of a content that is replaced. */
function toPreviousContent(
  before: MessageRecord,
): Pick<EditRecord, "prev_content" | "prev_rendered_content"> {
  return {
    prev_content: before.content,
    ...(before.rendered === null ? {} : { prev_rendered_content: before.rendered }),
  };
}

/** Writes everything that depends on a message's content, except its record. */
function writeContent(tx: Tx, realmId: number, edit: ContentEdit): void {
  const { before, prepared, participants } = edit;
  const words = searchWords(before.content).symmetricDifference(searchWords(prepared.content));
  recordWordChange(tx, realmId, { ids: [before.id], words });
  const [oldFacets, facets] = [listFacets(before), listFacets(prepared)];
  for (const facet of difference(facets, oldFacets)) tx.set([...facetKey(realmId, facet), before.id], true);
  for (const facet of difference(oldFacets, facets)) tx.delete([...facetKey(realmId, facet), before.id]);
  const isParticipant = (userId: number) => participants === null || participants.includes(userId);
  const mentioned = prepared.mentions.user_ids.filter(isParticipant);
  for (const userId of mentioned) tx.set([...messageKeys.mentioned(realmId, userId), before.id], true);
  for (const userId of difference(before.mentions.user_ids, mentioned)) {
    tx.delete([...messageKeys.mentioned(realmId, userId), before.id]);
  }
  const references = { before: before.upload_ids ?? [], after: prepared.upload_ids };
  updateReferences(tx, { realmId, messageId: before.id, ...references, now: edit.now });
  const key = messageKeys.rendered(realmId, before.id);
  const pieces = toInlineHtml(prepared) === null ? writeHtmlPieces(tx, key, prepared.html) : 0;
  if (before.rendered === null) deleteHtmlPieces(tx, key, pieces);
}

/** Size of a key that an edit of content writes, in bytes. */
const CONTENT_KEY_BYTES = 60;

/** Input of one commit of an edit. */
interface EditStep {
  readonly caller: Caller;
  readonly params: EditParams;
  readonly prepared: PreparedContent | null;
  readonly companions: readonly number[];
  /** Null in the first commit. */
  readonly target: TargetTopic | null;
}

/** The topic that messages move to, before the edit. */
interface TargetTopic {
  readonly hasMessages: boolean;
  /** Whether the editor can see other messages of it. */
  readonly showsMessages: boolean;
}

/** Result of one commit. */
interface EditStepOutcome {
  /** Files of the author that no message links any more. */
  readonly detachedUploads: readonly UploadRecord[];
  readonly movedCount: number;
  /** Ids of messages that are left to move; null after the last commit. */
  readonly remaining: readonly number[] | null;
  readonly move:
    | (Pick<MovedMessages, "from" | "to" | "isEntireTopic"> & { readonly target: TargetTopic })
    | null;
}

/**
 * Edits the content of a message or moves it, optionally with other messages of its topic. Up to
 * MAX_MOVED_PER_COMMIT messages move in one atomic commit unless they are very large. Larger moves take
 * several commits; repeating the request completes an interrupted one. Returns the files of the author that no message
 * links any more.
 * @throws AppError BAD_REQUEST or EXPECTATION_MISMATCH.
 */
export async function editMessage(
  app: ChatApp,
  caller: Caller,
  params: EditParams,
): Promise<readonly UploadRecord[]> {
  const { realm, actingUser: author } = caller;
  const prepared = params.content === undefined
    ? null
    : await prepareUserContent(app, { realm, author }, toEditedContent(params.content));
  let companions = await listCompanions(app, realm.id, params);
  let target: TargetTopic | null = null;
  for (let movedCount = 0;;) {
    const step: EditStep = { caller, params, prepared, companions, target };
    const done = await transact(
      app.store,
      (tx) => runStep(app, tx, step),
      `message ${realm.id} ${params.id}`,
    );
    movedCount += done.movedCount;
    target = done.move?.target ?? null;
    app.wordIndexer.contentChanged(realm.id);
    if (done.remaining !== null) {
      companions = done.remaining;
      continue;
    }
    if (done.move !== null) {
      const { target: { showsMessages: joinsOthers }, ...move } = done.move;
      const isContentEdited = prepared !== null;
      const moved = { ...move, messageId: params.id, count: movedCount, joinsOthers, isContentEdited };
      await announceMove(app, caller, moved, params);
    }
    return done.detachedUploads;
  }
}

/** Lists the other messages of the topic that may move along. */
async function listCompanions(
  app: ChatApp,
  realmId: number,
  { id, propagate_mode: mode, topic, stream_id }: EditParams,
): Promise<readonly number[]> {
  if (mode === "change_one" || (topic === undefined && stream_id === undefined)) return [];
  const message = await app.reads.read<MessageRecord>(messageKeys.message(realmId, id));
  if (message?.channel_id === undefined || message.channel_id === null) return [];
  const prefix = [...messageKeys.ofTopic(realmId, message.channel_id, message.topic)];
  const selector = mode === "change_later" ? { prefix, start: [...prefix, id] } : { prefix };
  return (await listIds(app, selector)).filter((other) => other !== id);
}

async function runStep(app: ChatApp, tx: Tx, step: EditStep): Promise<EditStepOutcome> {
  const { realm: { id: realmId }, actingUser } = step.caller;
  const user = await getActingUser(tx, realmId, actingUser);
  const permissions = permissionsOf(await tx.organization(realmId), app.clock);
  const editable = await getEditableMessage(tx, permissions, { id: step.params.id, user });
  const { message, location } = editable;
  const channel = location.kind === "channel" ? location.channel : null;
  if (step.prepared !== null) requireCanEditContent(permissions, { message, channel, user });
  const added = step.prepared === null ? null : diffMentions(message.mentions, step.prepared.mentions)?.added;
  if (channel !== null && added) {
    await requireWildcardAllowed(app, permissions, { channel, user, mentions: added });
  }
  const change = parseMessageChange(step.params, message);
  requireExpectedContent(message, step.params.prev_content_sha256);
  const edit = step.prepared === null ? null : {
    before: message,
    prepared: {
      ...step.prepared,
      upload_ids: await filterExistingUploads(tx, realmId, step.prepared.upload_ids),
    },
    participants: location.kind === "direct" ? location.conversation.user_ids : null,
    now: permissions.now,
  };
  if (location.kind === "channel" && (change.topic !== null || change.channelId !== null)) {
    return await runMoveStep(app, tx, permissions, { step, user, message, location, change, edit });
  }
  if (edit !== null) await editContent(tx, permissions, { editor: user, editable, edit });
  const detachedUploads = await sendContentEffects(app, tx, { realmId, edit });
  return { detachedUploads, movedCount: 0, remaining: null, move: null };
}

/**
 * Sends attachment events to the owners of linked files and enqueues pushes to newly mentioned users. Returns
 * the author's files that no message links any more.
 */
async function sendContentEffects(
  app: ChatApp,
  tx: Tx,
  { realmId, edit }: { realmId: number; edit: ContentEdit | null },
): Promise<readonly UploadRecord[]> {
  if (edit === null) return [];
  const { before: message, prepared, now } = edit;
  const { id: messageId, upload_ids: before = [], sender_id: ownerId } = message;
  const references = { realmId, messageId, before, after: prepared.upload_ids };
  await sendAttachmentUpdateEvents(app, tx, { ...references, now });
  const mentions = message.channel_id === null ? null : diffMentions(message.mentions, prepared.mentions);
  if (mentions !== null && await hasPushDevices(app, realmId)) {
    enqueueMentionPush(tx, { realmId, message, edit: mentions, now });
  }
  return await listDetachedUploads(app, tx, { ...references, ownerId });
}

function requireExpectedContent({ content }: MessageRecord, sha256: string | undefined): void {
  if (sha256 === undefined) return;
  if (createHash("sha256").update(content).digest("hex") === sha256.toLowerCase()) return;
  throw new AppError(
    "EXPECTATION_MISMATCH",
    "'prev_content_sha256' value does not match the expected value.",
  );
}

async function editContent(
  tx: Tx,
  permissions: PermissionContext,
  { editor, editable, edit }: { editor: UserRecord; editable: EditableMessage; edit: ContentEdit },
): Promise<void> {
  const { realm, now } = permissions;
  const { before, prepared } = edit;
  const { location } = editable;
  if (location.kind === "channel") {
    await lockTopic(tx, realm.id, { channelId: location.channel.id, topic: before.topic });
  }
  writeContent(tx, realm.id, edit);
  await writeEditedMessage(tx, { realmId: realm.id, message: toEditedMessage(before, prepared, now) }, {
    user_id: editor.id,
    at: now,
    is_content_edited: true,
    ...toPreviousContent(before),
  });
  sendContentEditEvent(tx, permissions, { editable, editor });
}

/** Runs one commit of a move, of which the last one edits the content. */
async function runMoveStep(
  app: ChatApp,
  tx: Tx,
  permissions: PermissionContext,
  { step, edit, user, message, location, change }:
    & { step: EditStep; edit: ContentEdit | null }
    & Pick<MoveRequest, "user" | "message" | "location" | "change">,
): Promise<EditStepOutcome> {
  const { companions } = step;
  const { id: realmId } = permissions.realm;
  const from = { channelId: location.channel.id, topic: message.topic };
  const to = { channelId: change.channelId ?? from.channelId, topic: change.topic ?? message.topic };
  const hasMessages = step.target?.hasMessages ??
    await tx.get(messageKeys.topic(realmId, to.channelId, to.topic)) !== null;
  const ofEdit = countLoad(edit);
  const policies = await planPolicyMove(app, tx, {
    realmId,
    move: { from, to, isMerge: hasMessages },
    reservedWrites: ofEdit.writes,
  });
  const load = {
    ...ofEdit,
    writes: ofEdit.writes + policies.load.writes,
    keyBytes: ofEdit.keyBytes + policies.load.keyBytes,
  };
  const request = { message, location, user, change, from, to, companions, load };
  const planned = await planMoveBatch(tx, permissions, request);
  const moving = new Set([message.id, ...planned.messages.map(({ id }) => id)]);
  // Policies move with the topic, in its last commit and, where they are very many, in commits before it.
  const isEntireTopic = planned.remaining === null && (change.mode === "change_all" ||
    !await hasVisibleMessages(app, realmId, { topic: from, isVisible: location.isVisible, except: moving }));
  const except = new Set([message.id, ...companions]);
  const showsMessages = step.target === null && hasMessages &&
    await hasVisibleMessages(app, realmId, { topic: to, isVisible: planned.target.isVisible, except });
  const isLast = planned.remaining === null && (!isEntireTopic || policies.isComplete);
  const batch = isLast ? planned : { ...planned, remaining: planned.remaining ?? [] };
  const after = edit === null ? message : toEditedMessage(message, edit.prepared, permissions.now);
  const texts = edit === null ? {} : { is_content_edited: true, ...toPreviousContent(message) };
  const changed = isLast ? { before: message, after, edit: texts } : null;
  if (isLast && edit !== null) writeContent(tx, realmId, edit);
  const ids = await writeMoveBatch(tx, permissions, { batch, user, changed });
  if (isEntireTopic) await writePolicyMove(tx, permissions, policies);
  const isContentEdited = isLast && edit !== null;
  sendMoveEvents(tx, permissions, { from, to, change, ids, message, user, isContentEdited });
  return {
    detachedUploads: await sendContentEffects(app, tx, { realmId, edit: isLast ? edit : null }),
    movedCount: ids.length,
    remaining: batch.remaining,
    move: {
      from: { channel: location.channel, topic: from.topic },
      to: { channel: batch.target.channel, topic: to.topic },
      isEntireTopic,
      target: step.target ?? { hasMessages, showsMessages },
    },
  };
}

/** Counts what the content edit adds at most to the commit that moves the named message. */
function countLoad(edit: ContentEdit | null): CommitLoad {
  if (edit === null) return { writes: 0, bytes: 0, keyBytes: 0 };
  const { before, prepared: { content, html, mentions, upload_ids } } = edit;
  // Each reference writes its key, its time and an event.
  const references = 3 * ((before.upload_ids?.length ?? 0) + upload_ids.length);
  const writes = MAX_CHANGE_WRITES + before.mentions.user_ids.length + mentions.user_ids.length + references +
    countHtmlWrites() + 2 * MAX_FACETS;
  return { writes, bytes: 2 * (content.length + html.length), keyBytes: CONTENT_KEY_BYTES * writes };
}
