import { serialize } from "node:v8";
import { toEntry } from "@/lib/store/key.ts";
import { derived, type Table } from "@/lib/store/table.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { readOrganizationWith } from "@/lib/chat/organization/organizations/model.ts";
import { filterValues, type ProfileData, toValueFilter } from "./model/field_data.ts";
import { type ProfileFieldRecord, profileKeys } from "./model/profile_field.ts";

/** Maximum size of a record in bytes as stored; its event, which is slightly larger, must fit into 64 KiB. */
export const MAX_RECORD_BYTES = 60 * 1024;

/** Returns the size of a stored value in bytes. */
export function storedSize(value: unknown): number {
  return serialize(value).length;
}

/** Reads an organization's fields in order. */
export async function readFields(app: ChatApp, realmId: number): Promise<readonly ProfileFieldRecord[]> {
  return await app.reads.read<readonly ProfileFieldRecord[]>(profileKeys.fields(realmId)) ?? [];
}

/** Returns an organization's fields in order, in a transaction. */
export async function getFields(tx: Tx, realmId: number): Promise<readonly ProfileFieldRecord[]> {
  return await tx.get<readonly ProfileFieldRecord[]>(profileKeys.fields(realmId)) ?? [];
}

export async function readProfileData(app: ChatApp, realmId: number, userId: number): Promise<ProfileData> {
  const [fields, data] = await Promise.all([
    readFields(app, realmId),
    app.reads.read<ProfileData>(profileKeys.valuesOf(realmId, userId)),
  ]);
  return filterValues(toValueFilter(fields), data ?? {});
}

/** Returns a user's current values, in a transaction. */
export async function getProfileData(tx: Tx, realmId: number, userId: number): Promise<ProfileData> {
  const data = await tx.get<ProfileData>(profileKeys.valuesOf(realmId, userId));
  return filterValues(toValueFilter(await getFields(tx, realmId)), data ?? {});
}

/** Lists the current values of all users by user id, without users who have none; the same list while none changes. */
export async function listProfileData(
  app: Pick<ChatApp, "readOrganization" | "store">,
  realmId: number,
): Promise<ReadonlyMap<number, ProfileData>> {
  const prefix = profileKeys.values(realmId);
  const organization = await readOrganizationWith(app, realmId, prefix);
  const fields = organization.get<readonly ProfileFieldRecord[]>(profileKeys.fields(realmId)) ?? NO_FIELDS;
  return toCurrentValues(organization.rows<ProfileData>(prefix))(fields);
}

const NO_FIELDS: readonly ProfileFieldRecord[] = [];

const toCurrentValues = derived((values: Table<ProfileData>) =>
  derived((fields: readonly ProfileFieldRecord[]): ReadonlyMap<number, ProfileData> => {
    const isCurrent = toValueFilter(fields);
    return new Map(values.entries().map(([userId, data]) => [Number(userId), filterValues(isCurrent, data)]));
  })
);

/** Yields the stored values of all users, stale values included. */
export async function* iterateProfileData(
  { store }: Pick<ChatApp, "store">,
  realmId: number,
): AsyncGenerator<{ userId: number; data: ProfileData }> {
  const listing = store.kv.list({ prefix: [...profileKeys.values(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<ProfileData>(entry);
    yield { userId: Number(key[2]), data: value };
  }
}
