import { toEntry } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { type ProfileFieldRecord, profileKeys } from "./profile_field.ts";
import { readFields } from "./store.ts";
import { choicesOf } from "./validate_field_data.ts";

/** One value as it is kept and as the API shows it. */
export interface ProfileValue {
  /** For people a JSON list of ids. */
  readonly value: string;
  /** HTML, made when the value was set; only for texts. */
  readonly rendered_value?: string;
}

/** The values of one person by the id of the field. */
export type ProfileData = Readonly<Record<string, ProfileValue>>;

/** The values of one person that can be shown. */
export async function readProfileData(app: ChatApp, realmId: number, userId: number): Promise<ProfileData> {
  const [fields, data] = await Promise.all([
    readFields(app, realmId),
    app.reads.read<ProfileData>(profileKeys.valuesOf(realmId, userId)),
  ]);
  return shownOf(shownBy(fields), data ?? {});
}

/** The values of everybody that can be shown, by the id of the person; who has none is not in it. */
export async function listProfileData(app: ChatApp, realmId: number): Promise<Map<number, ProfileData>> {
  const isShown = shownBy(await readFields(app, realmId));
  const people = new Map<number, ProfileData>();
  for await (const { userId, data } of eachProfile(app, realmId)) people.set(userId, shownOf(isShown, data));
  return people;
}

/** What is kept of everybody, whether it can be shown or not. */
export async function* eachProfile(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): AsyncGenerator<{ userId: number; data: ProfileData }> {
  const listing = store.kv.list({ prefix: [...profileKeys.values(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<ProfileData>(entry);
    yield { userId: Number(key[2]), data: value };
  }
}

/** Whether a value can be shown: its field, or the choice that it names, may be gone. */
export type ShownTest = (fieldId: string, value: string) => boolean;

/** Tells which values some fields have. */
export function shownBy(fields: readonly ProfileFieldRecord[]): ShownTest {
  const choices = new Map(fields.map((field) => [String(field.id), choicesOf(field)]));
  return (fieldId, value) => {
    const known = choices.get(fieldId);
    return known === null || known?.has(value) === true;
  };
}

/** Some values without those that cannot be shown; the very same where all can be. */
export function shownOf(isShown: ShownTest, data: ProfileData): ProfileData {
  const entries = Object.entries(data);
  const shown = entries.filter(([id, { value }]) => isShown(id, value));
  return shown.length === entries.length ? data : Object.fromEntries(shown);
}
