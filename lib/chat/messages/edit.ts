import { createHash } from "node:crypto";
import { AppError } from "@/lib/core/errors.ts";
import { toEntry } from "@/lib/kv/key.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { stillThere, tellOfClaims } from "../uploads/claims.ts";
import { sendEvent } from "../events/emit.ts";
import type { ParamValues } from "../params/param.ts";
import { type PermissionContext, readPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import { addedMentions } from "./added_mentions.ts";
import { accessForChange, type Changeable, type ChannelPlace } from "./edit_access.ts";
import {
  contentBefore,
  type ContentEdit,
  countContentWrites,
  forgetWords,
  withContent,
  writeContent,
} from "./edit_content.ts";
import type { editMessageParams } from "./edit_params.ts";
import { type MessageChange, readChange, readEditedContent, requireMayEditContent } from "./edit_rules.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import { planMove, writeHistory, writeMove } from "./move.ts";
import { tellMove } from "./move_events.ts";
import { holdTopic } from "./move_topic.ts";
import { hasDevices, noteMentions } from "./push_job.ts";
import { prepareContent, type PreparedContent } from "./prepare_content.ts";

/** A message that somebody wants to change. */
export interface EditTarget {
  readonly realm: RealmRecord;
  readonly editor: UserRecord;
  readonly id: number;
  /** Whether he wants `:)` and its like to become emoji. */
  readonly translatesEmoticons?: boolean;
}

/** What an edit did: for those who announce it. */
export interface EditOutcome {
  /** The message as it was before. */
  readonly before: MessageRecord;
  readonly change: MessageChange;
  /** How many messages were moved. */
  readonly movedCount: number;
}

/** The state of an edit of which a part is stored. */
interface Step extends EditTarget {
  readonly params: ParamValues<typeof editMessageParams>;
  readonly prepared: PreparedContent | null;
  readonly companions: readonly number[];
}

/** What one commit did; `rest` is null after the last one. */
interface StepOutcome extends EditOutcome {
  readonly rest: readonly number[] | null;
  readonly edit: ContentEdit | null;
}

/**
 * Changes a message's content, or moves it, with others of its topic where that is asked. Up to MOVED_AT_ONCE messages
 * are moved in one commit, all or none, unless they are very large; of more, each part is stored by itself, and sending
 * the request again finishes what was cut off.
 * @throws AppError BAD_REQUEST or EXPECTATION_MISMATCH.
 */
export async function editMessage(
  app: ChatApp,
  target: EditTarget,
  params: ParamValues<typeof editMessageParams>,
): Promise<EditOutcome> {
  const { realm, editor, id, translatesEmoticons = false } = target;
  const prepared = params.content === undefined ? null : await prepareContent(
    app,
    { realm, author: editor, translatesEmoticons },
    readEditedContent(params.content),
  );
  let companions = await listCompanions(app, target, params);
  for (let movedCount = 0;;) {
    const step = { ...target, params, prepared, companions };
    const done = await transact(app.store, (tx) => takeStep(app, tx, step), `message ${realm.id} ${id}`);
    movedCount += done.movedCount;
    if (done.edit !== null) await forgetWords(app, realm.id, done.edit);
    if (done.rest === null) return { before: done.before, change: done.change, movedCount };
    companions = done.rest;
  }
}

/** The other messages of the topic, which may have to move along. */
async function listCompanions(
  { store, reads }: ChatApp,
  { realm, id }: EditTarget,
  { propagate_mode: mode, topic, stream_id }: ParamValues<typeof editMessageParams>,
): Promise<readonly number[]> {
  if (mode === "change_one" || (topic === undefined && stream_id === undefined)) return [];
  const message = await reads.read<MessageRecord>(messageKeys.message(realm.id, id));
  if (message?.channel_id === undefined || message.channel_id === null) return [];
  const prefix = [...messageKeys.ofTopic(realm.id, message.channel_id, message.topic)];
  const selector = mode === "change_later" ? { prefix, start: [...prefix, id] } : { prefix };
  const ids: number[] = [];
  for await (const entry of store.kv.list(selector, { batchSize: 500 })) {
    const other = Number(toEntry(entry).key.at(-1));
    if (other !== id) ids.push(other);
  }
  return ids;
}

async function takeStep(app: ChatApp, tx: Tx, step: Step): Promise<StepOutcome> {
  const permissions = await readPermissionContext(app, tx, step.realm.id);
  const { message, place } = await accessForChange(tx, permissions, { id: step.id, user: step.editor });
  const channel = place.kind === "channel" ? place.channel : null;
  if (step.prepared !== null) requireMayEditContent(permissions, { message, channel, user: step.editor });
  const change = readChange(step.params, message);
  requireExpected(message, step.params.prev_content_sha256);
  const edit = step.prepared === null ? null : {
    before: message,
    prepared: {
      ...step.prepared,
      upload_ids: await stillThere(tx, permissions.realm.id, step.prepared.upload_ids),
    },
    participants: place.kind === "direct" ? place.conversation.user_ids : null,
    now: permissions.now,
  };
  if (place.kind === "channel" && (change.topic !== null || change.channelId !== null)) {
    const moved = await moveSome(tx, permissions, { step, message, place, change, edit });
    if (moved.edit !== null) {
      await tellOfContent(app, tx, { realmId: permissions.realm.id, edit: moved.edit });
    }
    return moved;
  }
  if (edit !== null) {
    await editContent(tx, permissions, { step, place, edit });
    await tellOfContent(app, tx, { realmId: permissions.realm.id, edit });
  }
  return { before: message, change, movedCount: 0, rest: null, edit };
}

/** Tells the owners of the files that a message links or linked, and the devices of those whom it names now. */
async function tellOfContent(
  app: ChatApp,
  tx: Tx,
  { realmId, edit }: { realmId: number; edit: ContentEdit },
): Promise<void> {
  const { before: message, prepared, now } = edit;
  const { id: messageId, upload_ids: before = [] } = message;
  await tellOfClaims(app, tx, { realmId, messageId, before, after: prepared.upload_ids, now });
  const mentions = message.channel_id === null ? null : addedMentions(message.mentions, prepared.mentions);
  if (mentions === null || !await hasDevices(app, realmId)) return;
  noteMentions(tx, { realmId, message, edit: mentions, now });
}

function requireExpected({ content }: MessageRecord, sha256: string | undefined): void {
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
  { step, place, edit }: { step: Step; place: Changeable["place"]; edit: ContentEdit },
): Promise<void> {
  const { realm, now } = permissions;
  const { before, prepared } = edit;
  if (place.kind === "channel") {
    await holdTopic(tx, realm.id, { channelId: place.channel.id, topic: before.topic });
  }
  writeContent(tx, realm.id, edit);
  await writeHistory(tx, { realmId: realm.id, message: withContent(before, prepared, now) }, {
    user_id: step.editor.id,
    at: now,
    is_content_edited: true,
    ...contentBefore(before),
  });
  sendEvent(tx, { realmId: realm.id, now }, {
    event: {
      type: "update_message",
      user_id: step.editor.id,
      edit_timestamp: Math.floor(now / 1000),
      message_id: before.id,
      message_ids: [before.id],
      is_content_edited: true,
      rendering_only: false,
      ...(place.kind === "channel" ? { stream_id: place.channel.id } : {}),
    },
    audience: place.kind === "channel" ? { channel: place.channel.id } : place.conversation.user_ids,
  });
}

async function moveSome(
  tx: Tx,
  permissions: PermissionContext,
  { step, message, place, change, edit }: {
    step: Step;
    message: MessageRecord;
    place: ChannelPlace;
    change: MessageChange;
    edit: ContentEdit | null;
  },
): Promise<StepOutcome> {
  const { editor: user, companions } = step;
  const load = edit === null ? { writes: 0, bytes: 0 } : {
    writes: countContentWrites(edit),
    bytes: 2 * (edit.prepared.content.length + edit.prepared.html.length),
  };
  const part = await planMove(tx, permissions, { message, place, user, change, companions, load });
  const isLast = part.rest === null;
  const after = edit === null ? message : withContent(message, edit.prepared, permissions.now);
  const texts = edit === null ? {} : { is_content_edited: true, ...contentBefore(message) };
  const changed = isLast ? { before: message, after, edit: texts } : null;
  if (isLast && edit !== null) writeContent(tx, permissions.realm.id, edit);
  const ids = await writeMove(tx, permissions, { part, user, changed });
  tellMove(tx, permissions, { part, change, ids, message, user, isContentEdited: isLast && edit !== null });
  return { before: message, change, movedCount: ids.length, rest: part.rest, edit: isLast ? edit : null };
}
