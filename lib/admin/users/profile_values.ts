import { storedChoices } from "../profile_fields/profile_field_choices.ts";
import { type ProfileData, type ProfileValueInput } from "@/lib/chat/profile_fields/model/field_data.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "@/lib/chat/profile_fields/model/profile_field.ts";
import { readFields, readProfileData } from "@/lib/chat/profile_fields/store.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import { updateUser } from "@/lib/chat/users/update_user.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import type { AppError } from "@/lib/core/errors.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import { linesOf } from "@/lib/ui/permission_fields.ts";
import type { Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findPeople, readPeopleInput, toPeopleText } from "../people/find_people.ts";
import { requireRevision, revisionOf } from "../revision.ts";
import { readShownPeople } from "../shown_people.ts";

/** A profile field with the value of a user, as text. */
export interface ShownValue {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  readonly type: ProfileFieldRecord["type"];
  /** Choices by key, for a field with choices. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** The value; users as lines with name and id. */
  readonly value: string;
}

/** Values of a user's profile. */
export interface ShownProfile {
  readonly values: readonly ShownValue[];
  readonly seen: string;
}

/** Loads the profile of a user. */
export async function loadProfile(request: AdminRequest, { id }: UserRecord): Promise<ShownProfile> {
  const { chat, realm } = request;
  const [fields, data] = await Promise.all([readFields(chat, realm.id), readProfileData(chat, realm.id, id)]);
  const values = fields.map(async (field): Promise<ShownValue> => ({
    ...{ id: field.id, name: field.name, hint: field.hint, type: field.type },
    choices: storedChoices(field, new Map()).map(({ key, text }) => ({ value: key, label: text })),
    value: await toText(request, field, data[field.id]?.value ?? ""),
  }));
  return { values: await Promise.all(values), seen: revisionOf(textsOf(data)) };
}

function textsOf(data: ProfileData): readonly unknown[] {
  return Object.entries(data).map(([id, { value }]) => [id, value]);
}

async function toText(request: AdminRequest, { type }: ProfileFieldRecord, value: string): Promise<string> {
  if (type !== FIELD_TYPE.people) return value;
  const people = await readShownPeople(request, parseUserIds(value));
  return toPeopleText(people.map(({ id, name }) => ({ id, full_name: name })));
}

function parseUserIds(value: string): readonly number[] {
  const ids = value === "" ? [] : parseJson(value);
  return Array.isArray(ids) ? ids.filter((id): id is number => Number.isSafeInteger(id)) : [];
}

/** Saves the values of the page's user that a form changes. */
export async function saveProfile(request: AdminRequest, form: FormFields): Promise<Done> {
  const { chat, realm, caller, formatter, messages } = request;
  const id = pathId(request);
  const data = await readProfileData(chat, realm.id, id);
  requireRevision(request, form, textsOf(data));
  const profile_data: ProfileValueInput[] = [];
  for (const field of await readFields(chat, realm.id)) {
    const value = await readChange(request, form, { field, before: data[field.id]?.value ?? "" });
    if (value !== undefined) profile_data.push({ id: field.id, value });
  }
  if (profile_data.length > 0) {
    const none = { full_name: undefined, role: undefined, new_email: undefined };
    await updateUser(chat, caller, { name: String(id), changes: { ...none, profile_data } });
  }
  const user = await readUser(chat, realm.id, id);
  return { flash: formatter.t(messages.users.profileSaved, { name: user?.full_name ?? "" }) };
}

/** Reads the value of a field from a form; undefined when it is unchanged, even if it is no longer valid. */
async function readChange(
  request: AdminRequest,
  form: FormFields,
  { field, before }: { field: ProfileFieldRecord; before: string },
): Promise<string | readonly number[] | undefined> {
  const name = `profile_${field.id}`;
  const shown = await toText(request, field, before);
  const text = form.text(name);
  if (field.type !== FIELD_TYPE.people) {
    const value = text.replaceAll("\r\n", "\n").trim();
    return value === shown.trim() ? undefined : value;
  }
  if (linesOf(text).join("\n") === linesOf(shown).join("\n")) return undefined;
  return (await findPeople(request, readPeopleInput(form, name), name)).map(({ id }) => id);
}

/** Returns the field of a refused value, or null. */
export function fieldOfValue({ field }: AppError): string | null {
  return field && `profile_${field}`;
}
