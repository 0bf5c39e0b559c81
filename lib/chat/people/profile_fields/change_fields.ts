import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
} from "@/lib/chat/organization/audit/model.ts";
import { recordAudit } from "@/lib/chat/organization/audit/store.ts";
import { sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { sendUserEvent } from "@/lib/chat/organization/users/events.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { getActingAdmin } from "@/lib/chat/organization/users/store.ts";
import {
  applyOrder,
  checkFieldChange,
  checkNewField,
  type FieldChanges,
  type ProfileFieldInput,
} from "./model/check_value.ts";
import { filterValues, type ProfileData, type ProfileValue, toValueFilter } from "./model/field_data.ts";
import {
  FIELD_TYPE,
  getField,
  type ProfileFieldRecord,
  profileKeys,
  toProfileField,
} from "./model/profile_field.ts";
import { getFields, iterateProfileData, MAX_RECORD_BYTES, readFields, storedSize } from "./store.ts";

/**
 * Creates a profile field at the end of the list.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createField(
  app: ChatApp,
  caller: Caller,
  input: ProfileFieldInput,
): Promise<ProfileFieldRecord> {
  const realmId = caller.realm.id;
  return await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const checked = checkNewField(fields, input);
    const id = await tx.nextId("profile_field");
    const order = Math.max(id, ...fields.map((field) => field.order + 1));
    const field = { id, ...checked, order };
    putFields(tx, { realmId, now: app.clock.now() }, [...fields, field]);
    auditField({ app, tx, ...caller }, field, { action: "profile_field_created" });
    return field;
  });
}

/**
 * Updates a profile field, and removes all users' values of deleted choices.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateField(
  app: ChatApp,
  caller: Caller,
  { fieldId, changes }: { fieldId: number; changes: FieldChanges },
): Promise<void> {
  const realmId = caller.realm.id;
  // A recreated choice must not restore values that an interrupted removal has left behind.
  if (changes.field_data !== undefined) await removeStaleValues(app, realmId);
  const isDataChanged = await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const before = getField(fields, fieldId);
    const after = { id: fieldId, ...checkFieldChange(fields, before, changes), order: before.order };
    if (JSON.stringify(after) === JSON.stringify(before)) return false;
    const updated = fields.map((field) => field.id === fieldId ? after : field);
    putFields(tx, { realmId, now: app.clock.now() }, updated);
    auditField({ app, tx, ...caller }, after, {
      action: "profile_field_changed",
      details: diffDetails(before, after, AUDITED_FIELD_PROPERTIES),
    });
    return after.field_data !== before.field_data;
  });
  if (isDataChanged) await afterCommit(() => removeStaleValues(app, realmId));
}

/**
 * Deletes a profile field and all users' values of it.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function deleteField(app: ChatApp, caller: Caller, fieldId: number): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const deleted = getField(fields, fieldId);
    putFields(tx, { realmId, now: app.clock.now() }, fields.filter((field) => field !== deleted));
    auditField({ app, tx, ...caller }, deleted, { action: "profile_field_deleted" });
  });
  await afterCommit(() => removeStaleValues(app, realmId));
}

/**
 * Reorders all profile fields by their ids.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that omits a field.
 */
export async function reorderFields(
  app: ChatApp,
  caller: Caller,
  order: readonly number[],
): Promise<void> {
  const realmId = caller.realm.id;
  await transact(app.store, async (tx) => {
    await getActingAdmin(tx, caller);
    const fields = await getFields(tx, realmId);
    const after = applyOrder(fields, order);
    if (
      after.every((field, index) => field.id === fields[index]?.id && field.order === fields[index].order)
    ) {
      return;
    }
    putFields(tx, { realmId, now: app.clock.now() }, after);
    const toOrder = (list: readonly ProfileFieldRecord[]) => ({ order: list.map(({ id }) => id) });
    auditField({ app, tx, ...caller }, { id: 0, name: "" }, {
      action: "profile_field_reordered",
      values: { before: toOrder(fields), after: toOrder(after) },
    });
  });
}

/** Number of users whose values one commit changes. */
const BATCH = 50;

/**
 * Removes all users' values of deleted fields and choices. Readers already filter them out, so an interrupted
 * removal is harmless: the next one completes it.
 */
export async function removeStaleValues(app: ChatApp, realmId: number): Promise<void> {
  const isCurrent = toValueFilter(await readFields(app, realmId));
  const userIds: number[] = [];
  for await (const { userId, data } of iterateProfileData(app, realmId)) {
    if (filterValues(isCurrent, data) !== data) userIds.push(userId);
  }
  for (const batch of chunk(userIds, BATCH)) await removeStaleBatch(app, realmId, batch);
}

async function removeStaleBatch(app: ChatApp, realmId: number, userIds: readonly number[]): Promise<void> {
  await transact(app.store, async (tx) => {
    const isCurrent = toValueFilter(await getFields(tx, realmId));
    await Promise.all(userIds.map(async (userId) => {
      const key = profileKeys.valuesOf(realmId, userId);
      const data = await tx.get<ProfileData>(key) ?? {};
      const current = filterValues(isCurrent, data);
      if (current === data) return;
      if (Object.keys(current).length === 0) tx.delete(key);
      else tx.set(key, current);
    }));
  });
}

export interface ValueCount {
  readonly people: number;
  /** Number of users by the key of each choice that is in use; empty for fields of other types. */
  readonly byChoice: ReadonlyMap<string, number>;
}

/** Counts the users who have a value of each field, by field id, in one listing of all users' values. */
export async function countValues(app: ChatApp, realmId: number): Promise<ReadonlyMap<number, ValueCount>> {
  const fields = await readFields(app, realmId);
  const isCurrent = toValueFilter(fields);
  const tallies = new Map<string, Tally>();
  for (const { id, type } of fields) {
    tallies.set(String(id), { people: 0, byChoice: new Map(), isChoice: type === FIELD_TYPE.choice });
  }
  for await (const { data } of iterateProfileData(app, realmId)) {
    for (const [id, { value }] of Object.entries(filterValues(isCurrent, data))) {
      countValue(tallies.get(id), value);
    }
  }
  return new Map([...tallies].map(([id, { people, byChoice }]) => [Number(id), { people, byChoice }]));
}

interface Tally {
  people: number;
  readonly byChoice: Map<string, number>;
  readonly isChoice: boolean;
}

function countValue(tally: Tally | undefined, value: string): void {
  if (tally === undefined) return;
  tally.people++;
  if (tally.isChoice) tally.byChoice.set(value, (tally.byChoice.get(value) ?? 0) + 1);
}

const AUDITED_FIELD_PROPERTIES = [
  "name",
  "hint",
  "field_data",
  "required",
  "editable_by_user",
  "display_in_profile_summary",
  "use_for_user_matching",
] as const;

/** Records an action on a profile field in the audit log; the id 0 stands for all fields. */
function auditField(
  { app, tx, realm, actingUser }: ActionContext,
  { id, name }: Pick<ProfileFieldRecord, "id" | "name">,
  entry: { action: AuditAction; details?: AuditDetails; values?: AuditValues | undefined },
): void {
  recordAudit(tx, { realmId: realm.id, now: app.clock.now() }, {
    acting_user_id: actingUser.id,
    target: { kind: "profile_field", id, name },
    ...entry,
  });
}

/**
 * Stores an organization's fields and sends them to everyone; `now` in milliseconds since 1970 UTC.
 * @throws AppError BAD_REQUEST when they do not fit into one record of the store.
 */
function putFields(
  tx: Tx,
  context: { realmId: number; now: number },
  fields: readonly ProfileFieldRecord[],
): void {
  const event = { type: "custom_profile_fields", fields: fields.map(toProfileField) };
  if (Math.max(storedSize(fields), storedSize(event)) > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The profile fields and their choices are too long altogether.");
  }
  tx.set(profileKeys.fields(context.realmId), fields);
  sendEvent(tx, context, { event, audience: "everyone" });
}

/** Sends a user's changed value to the users who can access them; null for a cleared value. */
export function sendValueEvent(
  tx: Tx,
  { app, realm, user }: { app: Pick<ChatApp, "clock">; realm: RealmRecord; user: UserRecord },
  { id, value }: { id: number; value: ProfileValue | null },
): void {
  const custom_profile_field = { id, ...(value ?? { value: null }) };
  sendUserEvent(tx, { realm, user, now: app.clock.now() }, {
    type: "realm_user",
    op: "update",
    person: { user_id: user.id, custom_profile_field },
  });
}
