import { sendProfileEvent } from "@/lib/chat/organization/users/events.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { renderDescription } from "@/lib/chat/organization/rendering/render_message.ts";
import { type Caller, isAdmin, type UserRecord } from "@/lib/chat/organization/users/model.ts";

import { act, findAccessibleUser } from "@/lib/chat/organization/users/store.ts";
import { checkValue, listUserIds, type ReferencedUser } from "./model/check_value.ts";
import type { ProfileValue, ProfileValueInput } from "./model/field_data.ts";
import {
  FIELD_TYPE,
  getField,
  inputError,
  type ProfileFieldRecord,
  profileKeys,
} from "./model/profile_field.ts";
import { getFields, getProfileData, MAX_RECORD_BYTES, storedSize } from "./store.ts";

/** Maximum number of different users that the values of one request can reference. */
const MAX_REFERENCED_USERS = 1000;

/**
 * Sets the caller's own values, all or none.
 * @throws AppError BAD_REQUEST for the first invalid value.
 */
export async function setOwnValues(
  app: ChatApp,
  caller: Caller,
  inputs: readonly ProfileValueInput[],
): Promise<void> {
  const index = inputs.findIndex(({ value }) => value === null);
  // Only the request that clears values accepts null.
  if (index >= 0) throw inputError("data", `data[${index}]["value"] is not a string`);
  await changeOwnValues(app, caller, inputs);
}

/**
 * Clears the caller's own values, all or none; clearing a value that is not set has no effect.
 * @throws AppError BAD_REQUEST for the first field that is unknown or not editable.
 */
export async function clearOwnValues(
  app: ChatApp,
  caller: Caller,
  fieldIds: readonly number[],
): Promise<void> {
  await changeOwnValues(app, caller, fieldIds.map((id) => ({ id, value: null })));
}

async function changeOwnValues(
  app: ChatApp,
  caller: Caller,
  inputs: readonly ProfileValueInput[],
): Promise<void> {
  await act(app, caller, (context) => changeValues(context, context.actingUser, inputs));
}

/**
 * Sets and clears a user's values in order, and sends the changed ones to the users who can access the user. Null
 * and empty values clear a field, whatever its type.
 * @throws AppError BAD_REQUEST for the first invalid value.
 */
export async function changeValues(
  context: ActionContext,
  target: UserRecord,
  inputs: readonly ProfileValueInput[],
): Promise<void> {
  const { tx, realm } = context;
  const fields = await getFields(tx, realm.id);
  const key = profileKeys.valuesOf(realm.id, target.id);
  const before = await getProfileData(tx, realm.id, target.id);
  const findUser = await readReferencedUsers(context, inputs);
  const values = new Map(Object.entries(before));
  for (const { id, value } of inputs) {
    const field = getField(fields, id);
    requireCanEdit(context.actingUser, field);
    const text = isEmpty(value) ? "" : checkValue(field, value, findUser);
    if (text === "") values.delete(String(id));
    else if (values.get(String(id))?.value !== text) values.set(String(id), toValue(context, field, text));
  }
  const after = Object.fromEntries(values);
  if (storedSize(after) > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "These values are too long altogether.");
  }
  const changed = fields.filter(({ id }) => before[id]?.value !== after[id]?.value);
  if (changed.length === 0) return;
  if (values.size === 0) tx.delete(key);
  else tx.set(key, after);
  for (const { id } of changed) {
    sendProfileEvent(context, target, { custom_profile_field: { id, ...(after[id] ?? { value: null }) } });
  }
}

function isEmpty(value: ProfileValueInput["value"]): boolean {
  return value === null || value === "" || Array.isArray(value) && value.length === 0;
}

/**
 * Reads the users that values reference and that the actor can access, without a version check: a parallel deactivation may count as later.
 */
async function readReferencedUsers(
  { app, ...caller }: ActionContext,
  inputs: readonly ProfileValueInput[],
): Promise<(id: number) => ReferencedUser | null> {
  const ids = [...new Set(inputs.flatMap(({ value }) => listUserIds(value)))];
  if (ids.length > MAX_REFERENCED_USERS) {
    throw new AppError("BAD_REQUEST", `One request can name ${MAX_REFERENCED_USERS} people at most.`);
  }
  const users = new Map(
    await Promise.all(ids.map(async (id) => [id, await findAccessibleUser(app, caller, id)] as const)),
  );
  return (id) => users.get(id) ?? null;
}

function requireCanEdit(actor: UserRecord, field: ProfileFieldRecord): void {
  if (field.editable_by_user || isAdmin(actor)) return;
  throw new AppError(
    "BAD_REQUEST",
    "You are not allowed to change this field. Contact an administrator to update it.",
  );
}

function toValue(context: ActionContext, field: ProfileFieldRecord, value: string): ProfileValue {
  const rendered_value = renderValue(context, field, value);
  return rendered_value === null ? { value } : { value, rendered_value };
}

/** Returns the HTML of a text value, in which mentions have no effect, or null for fields of other types. */
export function renderValue(
  { app, realm }: { app: Pick<ChatApp, "config">; realm: RealmRecord },
  { type }: ProfileFieldRecord,
  value: string,
): string | null {
  const isText = type === FIELD_TYPE.shortText || type === FIELD_TYPE.longText;
  return isText ? renderDescription(value, realmUrl(app, realm)) : null;
}
