import type { ChatApp } from "../app.ts";
import { filterValues, toValueFilter } from "./model/profile_data.ts";
import { FIELD_TYPE } from "./model/profile_field.ts";
import { iterateProfileData, readFields } from "./store.ts";

/** The number of users who have a value of a field. */
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
