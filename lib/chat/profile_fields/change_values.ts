import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { readUser } from "../users/store.ts";
import { sendUserEvent } from "../users/tell_of_user.ts";
import { isAdmin, type UserRecord } from "../users/user.ts";
import { checkValue, idsIn, type KnownPerson } from "./check_value.ts";
import type { SentValue } from "./params.ts";
import { type ProfileFieldRecord, profileKeys } from "./profile_field.ts";
import { renderValue } from "./render_value.ts";
import { fieldOf, getFields, MAX_RECORD_BYTES, storedSize } from "./store.ts";
import { type ProfileData, type ProfileValue, shownBy, shownOf } from "./values.ts";

/** People whom the values of one request can name. */
const MAX_NAMED = 1000;

/** Whose values change, who changes them, and the transaction in which he does; both as it sees them. */
export interface ValueChange {
  readonly app: ChatApp;
  readonly tx: Tx;
  readonly realm: RealmRecord;
  readonly actor: UserRecord;
  readonly target: UserRecord;
}

/** A value as it is asked for; null where it is to go. */
export interface WantedValue {
  readonly id: number;
  readonly value: SentValue["value"];
}

/**
 * Sets and clears somebody's values, in order, and tells those who may know of him what is other than before.
 * @throws AppError BAD_REQUEST for the first that cannot be.
 */
export async function changeValues(change: ValueChange, wanted: readonly WantedValue[]): Promise<void> {
  const { tx, realm, target } = change;
  const fields = await getFields(tx, realm.id);
  const key = profileKeys.valuesOf(realm.id, target.id);
  const before = shownOf(shownBy(fields), await tx.get<ProfileData>(key) ?? {});
  const findPerson = await readPeople(change, wanted);
  const values = new Map(Object.entries(before));
  for (const { id, value } of wanted) {
    const field = fieldOf(fields, id);
    requireMayChange(change.actor, field);
    const text = value === null ? "" : checkValue(field, value, findPerson);
    if (text === "") values.delete(String(id));
    else if (values.get(String(id))?.value !== text) values.set(String(id), toValue(change, field, text));
  }
  const after = Object.fromEntries(values);
  if (storedSize(after) > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "These values are too long altogether.");
  }
  const changed = fields.filter(({ id }) => before[id]?.value !== after[id]?.value);
  if (changed.length === 0) return;
  if (values.size === 0) tx.delete(key);
  else tx.set(key, after);
  for (const { id } of changed) tell(change, id, after[id] ?? null);
}

/** People are read without a check: who is deactivated at the same moment was active just before. */
async function readPeople(
  { app, realm }: ValueChange,
  wanted: readonly WantedValue[],
): Promise<(id: number) => KnownPerson | null> {
  const ids = [...new Set(wanted.flatMap(({ value }) => idsIn(value)))];
  if (ids.length > MAX_NAMED) {
    throw new AppError("BAD_REQUEST", `One request can name ${MAX_NAMED} people at most.`);
  }
  const people = new Map(
    await Promise.all(ids.map(async (id) => [id, await readUser(app, realm.id, id)] as const)),
  );
  return (id) => people.get(id) ?? null;
}

function requireMayChange(actor: UserRecord, field: ProfileFieldRecord): void {
  if (field.editable_by_user || isAdmin(actor)) return;
  throw new AppError(
    "BAD_REQUEST",
    "You are not allowed to change this field. Contact an administrator to update it.",
  );
}

function toValue(change: ValueChange, field: ProfileFieldRecord, value: string): ProfileValue {
  const rendered_value = renderValue(change, field, value);
  return rendered_value === null ? { value } : { value, rendered_value };
}

function tell({ app, tx, realm, target }: ValueChange, id: number, value: ProfileValue | null): void {
  const custom_profile_field = { id, ...(value ?? { value: null }) };
  sendUserEvent(tx, { realm, user: target, now: app.clock.now() }, {
    type: "realm_user",
    op: "update",
    person: { user_id: target.id, custom_profile_field },
  });
}
