import { listIds } from "@/lib/store/reads.ts";
import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { cleanText } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../organization/app.ts";
import { getReadableChannel } from "../channels/store.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { MAX_MESSAGE_LENGTH, MAX_PARTICIPANTS } from "./model.ts";
import { resolveRecipients } from "./recipient.ts";
import { boundedString, described, exact, fractional, json } from "../organization/params/param.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { Caller } from "../organization/users/model.ts";
import { parseTopic } from "../channels/topics/model.ts";

/**
 * Stores drafts and returns their ids in the same order.
 * @throws AppError BAD_REQUEST for the first invalid draft; none is stored then.
 */
export async function createDrafts(
  app: ChatApp,
  caller: Caller,
  inputs: readonly DraftInput[],
): Promise<number[]> {
  const checked = await checkDrafts(app, caller, inputs);
  const { realm, actingUser: user } = caller;
  return await transact(app.store, async (tx) => {
    const list = await getDraftList(tx, caller);
    if (list.ids.length + checked.length > MAX_DRAFTS) {
      throw new AppError("BAD_REQUEST", `You can keep ${MAX_DRAFTS} drafts at most.`);
    }
    const ids: number[] = [];
    for (const draft of checked) {
      const record: DraftRecord = { id: await tx.nextId("draft"), ...draft };
      ids.push(record.id);
      tx.set(draftKeys.draft(realm.id, user.id, record.id), record);
      // One event per draft: many drafts are too large for a single event.
      sendDraftEvent(tx, app.clock.now(), { caller, op: "add", drafts: [record] });
    }
    tx.set(draftKeys.list(realm.id, user.id), { ...list, ids: [...list.ids, ...ids] } satisfies DraftList);
    return ids;
  }, lockOf(caller));
}

/** @throws AppError BAD_REQUEST for an unknown id or an invalid draft. */
export async function updateDraft(
  app: ChatApp,
  caller: Caller,
  { id, input }: { id: number; input: DraftInput },
): Promise<void> {
  const [checked] = await checkDrafts(app, caller, [input]);
  if (checked === undefined) return;
  await transact(app.store, async (tx) => {
    requireListed(await getDraftList(tx, caller), id);
    const record: DraftRecord = { id, ...checked };
    tx.set(draftKeys.draft(caller.realm.id, caller.actingUser.id, id), record);
    sendDraftEvent(tx, app.clock.now(), { caller, op: "update", draft: record });
  }, lockOf(caller));
}

/** @throws AppError BAD_REQUEST for an unknown id. */
export async function deleteDraft(app: ChatApp, caller: Caller, id: number): Promise<void> {
  const { realm, actingUser: user } = caller;
  await transact(app.store, async (tx) => {
    const list = await getDraftList(tx, caller);
    requireListed(list, id);
    tx.delete(draftKeys.draft(realm.id, user.id, id));
    const ids = list.ids.filter((other) => other !== id);
    tx.set(draftKeys.list(realm.id, user.id), { ...list, ids } satisfies DraftList);
    sendDraftEvent(tx, app.clock.now(), { caller, op: "remove", draft_id: id });
  }, lockOf(caller));
}

function requireListed({ ids }: DraftList, id: number): void {
  if (!ids.includes(id)) throw new AppError("BAD_REQUEST", "Draft does not exist", { status: 404 });
}

function lockOf({ realm, actingUser }: Caller): string {
  return `drafts ${realm.id} ${actingUser.id}`;
}

/** Maximum length of all texts together in UTF-16 units; records and events must fit into one commit. */
const MAX_UNITS = 150_000;

/**
 * Validates drafts and normalizes them for storage: the owner can read the channel, or the users exist.
 * @throws AppError BAD_REQUEST for the first invalid draft.
 */
async function checkDrafts(
  app: ChatApp,
  caller: Caller,
  inputs: readonly DraftInput[],
): Promise<Omit<DraftRecord, "id">[]> {
  const units = inputs.reduce((sum, { content }) => sum + content.length, 0);
  if (units > MAX_UNITS) throw new AppError("BAD_REQUEST", "The drafts are too long for one request.");
  const permissions = permissionsOf(await app.readOrganization(caller.realm.id), app.clock);
  const checked: Omit<DraftRecord, "id">[] = [];
  for (const draft of inputs) checked.push(await checkDraft(app, permissions, { caller, draft }));
  return checked;
}

async function checkDraft(
  app: ChatApp,
  permissions: PermissionContext,
  { caller, draft }: { caller: Caller; draft: DraftInput },
): Promise<Omit<DraftRecord, "id">> {
  const { type, to } = draft;
  const content = cleanText(draft.content).trimEnd();
  if (content.trim() === "") throw new AppError("BAD_REQUEST", "Message must not be empty");
  const timestamp = Math.floor(draft.timestamp ?? permissions.now / 1000);
  if (timestamp < 0) throw new AppError("BAD_REQUEST", "Timestamp must not be negative.");
  if (type === "stream") await requireChannel(app, permissions, { user: caller.actingUser, to });
  if (type === "private") await resolveRecipients(app, caller, to);
  return { type, to, topic: type === "stream" ? parseTopic(draft.topic) : "", content, timestamp };
}

async function requireChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { user, to }: { user: Caller["actingUser"]; to: readonly number[] },
): Promise<void> {
  const [channelId, ...others] = to;
  if (channelId === undefined || others.length > 0) {
    throw new AppError("BAD_REQUEST", "Must specify exactly 1 channel ID for channel messages");
  }
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  await getReadableChannel(reads, permissions, { channelId, user });
}

function sendDraftEvent(
  tx: Tx,
  now: number,
  { caller: { realm, actingUser }, ...change }: { caller: Caller; op: string; [member: string]: unknown },
): void {
  const event = { type: "drafts", ...change };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: [actingUser.id] });
}

/** Maximum number of drafts in one request. */
const MAX_DRAFTS_PER_REQUEST = 100;

const draft = z.object({
  type: z.literal(["", "stream", "private"]),
  to: z.array(z.int()).max(MAX_PARTICIPANTS),
  topic: boundedString(),
  content: boundedString({ max: MAX_MESSAGE_LENGTH, min: 1 }),
  timestamp: z.number().max(Number.MAX_SAFE_INTEGER).optional(),
});

type DraftInput = z.infer<typeof draft>;

const FIELDS =
  "`type` (empty, `stream` or `private`), `to` (ids), `topic`, `content` and `timestamp` (seconds since " +
  "1970 UTC, of which a fraction is dropped)";

export const createDraftsParams = {
  drafts: described(
    fractional(exact(json(z.array(draft).max(MAX_DRAFTS_PER_REQUEST))), ["timestamp"]),
    `Objects with ${FIELDS}.`,
  ),
};

export const updateDraftParams = {
  draft: described(fractional(exact(json(draft)), ["timestamp"]), `An object with ${FIELDS}.`),
};

const draftSchema = z.object({
  id: z.int(),
  type: z.enum(["", "stream", "private"]),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
}).meta({ id: "Draft" });

export const draftsSchema = z.object({ count: z.int(), drafts: z.array(draftSchema) });

export const createdDraftsSchema = z.object({ ids: z.array(z.int()) });

/** An unsent message. */
export interface DraftRecord {
  readonly id: number;
  /** Empty while the draft has no recipient. */
  readonly type: "" | "stream" | "private";
  /** The id of a channel, or the ids of users. */
  readonly to: readonly number[];
  readonly topic: string;
  /** Markdown. */
  readonly content: string;
  /** Time of the last edit, in seconds since 1970 UTC. */
  readonly timestamp: number;
}

/** The drafts that an account stores on the server; an account without this record stores none yet. */
export interface DraftList {
  /** Whether the user has turned draft synchronization off. */
  readonly is_off: boolean;
  readonly ids: readonly number[];
}

/** Maximum number of drafts of one account. */
const MAX_DRAFTS = 500;

export const draftKeys = {
  list: (realmId: number, userId: number): Key => [realmId, "draft_box", userId],
  drafts: (realmId: number, userId: number): Key => [realmId, "draft", userId],
  draft: (realmId: number, userId: number, id: number): Key => [realmId, "draft", userId, id],
};

/**
 * Returns the draft list, or an empty one for null.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
function requireDraftSync(list: DraftList | null): DraftList {
  if (list?.is_off !== true) return list ?? { is_off: false, ids: [] };
  throw new AppError("BAD_REQUEST", "User has disabled synchronizing drafts.");
}

/**
 * Lists a user's drafts, the one edited last at the end.
 * @throws AppError BAD_REQUEST when the user has turned draft synchronization off.
 */
export async function listDrafts(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
): Promise<DraftRecord[]> {
  const { ids } = requireDraftSync(await app.reads.read<DraftList>(draftKeys.list(realm.id, user.id)));
  const drafts = await Promise.all(
    ids.map((id) => app.reads.read<DraftRecord>(draftKeys.draft(realm.id, user.id, id))),
  );
  return drafts.filter((draft) => draft !== null).sort((a, b) => a.timestamp - b.timestamp);
}

/** @throws AppError BAD_REQUEST when the user has turned draft synchronization off. */
async function getDraftList(tx: Tx, { realm, actingUser: user }: Caller): Promise<DraftList> {
  return requireDraftSync(await tx.get<DraftList>(draftKeys.list(realm.id, user.id)));
}

/**
 * Turns draft synchronization on or off in the commit that changes its setting; turning it off empties the
 * list.
 */
export function setDraftSync(
  tx: Tx,
  { realmId, userId }: { realmId: number; userId: number },
  isOn: boolean,
): void {
  const key = draftKeys.list(realmId, userId);
  if (isOn) tx.delete(key);
  else tx.set(key, { is_off: true, ids: [] } satisfies DraftList);
}

/**
 * Deletes an account's drafts that are not in its draft list, after draft synchronization has been turned
 * off.
 */
export async function deleteUnlistedDrafts(
  { store }: ChatApp,
  realmId: number,
  userId: number,
): Promise<void> {
  const prefix = [...draftKeys.drafts(realmId, userId)];
  // Drafts are large.
  const ids = await listIds({ store }, { prefix }, { batchSize: 20 });
  if (ids.length === 0) return;
  await transact(store, async (tx) => {
    const listedIds = (await tx.get<DraftList>(draftKeys.list(realmId, userId)))?.ids ?? [];
    const unlistedIds = ids.filter((id) => !listedIds.includes(id)).slice(0, MAX_DRAFTS);
    for (const id of unlistedIds) tx.delete(draftKeys.draft(realmId, userId, id));
  });
}
