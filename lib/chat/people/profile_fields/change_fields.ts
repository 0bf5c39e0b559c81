import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { mapInSlices } from "@/lib/core/yield_to_event_loop.ts";
import { afterCommit } from "@/lib/store/durably.ts";
import { transact } from "@/lib/store/transact.ts";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
} from "@/lib/chat/organization/audit/model.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import { type Caller } from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin } from "@/lib/chat/organization/users/store.ts";
import {
  applyOrder,
  checkFieldChange,
  checkNewField,
  type FieldChanges,
  type ProfileFieldInput,
} from "./model/check_value.ts";
import { filterValues, type ProfileData, toValueFilter } from "./model/field_data.ts";
import {
  FIELD_TYPE,
  getField,
  type ProfileFieldRecord,
  profileKeys,
  toProfileField,
} from "./model/profile_field.ts";
import {
  getFields,
  iterateProfileData,
  listProfileData,
  MAX_RECORD_BYTES,
  readFields,
  storedSize,
} from "./store.ts";

/**
 * Creates a profile field at the end of the list.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createField(
  app: ChatApp,
  caller: Caller,
  input: ProfileFieldInput,
): Promise<ProfileFieldRecord> {
  return await changeFields(app, caller, async (fields, { tx }) => {
    const checked = checkNewField(fields, input);
    const id = await tx.nextId("profile_field");
    const order = Math.max(id, ...fields.map((field) => field.order + 1));
    const field = { id, ...checked, order };
    return { after: [...fields, field], target: field, action: "profile_field_created", result: field };
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
  const isDataChanged = await changeFields(app, caller, (fields) => {
    const before = getField(fields, fieldId);
    const field = { id: fieldId, ...checkFieldChange(fields, before, changes), order: before.order };
    const isSame = JSON.stringify(field) === JSON.stringify(before);
    return {
      after: isSame ? fields : fields.map((other) => other === before ? field : other),
      target: field,
      action: "profile_field_changed",
      details: diffDetails(before, field),
      result: field.field_data !== before.field_data,
    };
  });
  if (isDataChanged) await afterCommit(() => removeStaleValues(app, realmId));
}

/**
 * Deletes a profile field and all users' values of it.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function deleteField(app: ChatApp, caller: Caller, fieldId: number): Promise<void> {
  await changeFields(app, caller, (fields) => {
    const target = getField(fields, fieldId);
    const after = fields.filter((field) => field !== target);
    return { after, target, action: "profile_field_deleted", result: null };
  });
  await afterCommit(() => removeStaleValues(app, caller.realm.id));
}

/**
 * Reorders all profile fields by their ids.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST for an order that omits a field.
 */
export async function reorderFields(app: ChatApp, caller: Caller, order: readonly number[]): Promise<void> {
  await changeFields(app, caller, (fields) => {
    const ordered = applyOrder(fields, order);
    const isSame = ordered.every(({ id, order }, at) => id === fields[at]?.id && order === fields[at].order);
    const toOrder = (list: readonly ProfileFieldRecord[]) => ({ order: list.map(({ id }) => id) });
    return {
      after: isSame ? fields : ordered,
      target: { id: 0, name: "" },
      action: "profile_field_reordered",
      values: { before: toOrder(fields), after: toOrder(ordered) },
      result: null,
    };
  });
}

/** A new list of fields, or the same one for no change, with its audit entry; the id 0 stands for all fields. */
interface FieldsChange<T> {
  readonly after: readonly ProfileFieldRecord[];
  readonly target: Pick<ProfileFieldRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
  readonly values?: AuditValues;
  readonly result: T;
}

/**
 * Changes an organization's fields as an administrator, and sends them to everyone.
 * @throws AppError BAD_REQUEST when they do not fit into one record of the store.
 */
async function changeFields<T>(
  app: ChatApp,
  caller: Caller,
  change: (
    fields: readonly ProfileFieldRecord[],
    context: ActionContext,
  ) => FieldsChange<T> | Promise<FieldsChange<T>>,
): Promise<T> {
  return await actAsAdmin(app, caller, async (context) => {
    const { tx, realm } = context;
    const fields = await getFields(tx, realm.id);
    const { after, target: { id, name }, result, ...entry } = await change(fields, context);
    if (after === fields) return result;
    const event = { type: "custom_profile_fields", fields: after.map(toProfileField) };
    if (Math.max(storedSize(after), storedSize(event)) > MAX_RECORD_BYTES) {
      throw new AppError("BAD_REQUEST", "The profile fields and their choices are too long altogether.");
    }
    tx.set(profileKeys.fields(realm.id), after);
    sendChangeEvent(context, event);
    auditAction(context, { target: { kind: "profile_field", id, name }, ...entry });
    return result;
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

/** Counts the users who have a value of each field, by field id. */
export async function countValues(app: ChatApp, realmId: number): Promise<ReadonlyMap<number, ValueCount>> {
  const [fields, data] = await Promise.all([readFields(app, realmId), listProfileData(app, realmId)]);
  const tallies = new Map<string, Tally>();
  for (const { id, type } of fields) {
    tallies.set(String(id), { people: 0, byChoice: new Map(), isChoice: type === FIELD_TYPE.choice });
  }
  await mapInSlices(data.values(), (values) => {
    for (const [id, { value }] of Object.entries(values)) countValue(tallies.get(id), value);
  });
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
