import type { ChatApp } from "../app.ts";
import { FIELD_TYPE } from "./profile_field.ts";
import { readFields } from "./store.ts";
import { eachProfile, shownBy, shownOf } from "./values.ts";

/** How many people have a value of one field. */
export interface ValueCount {
  readonly people: number;
  /** By the key of each choice that somebody has; empty for fields of other types. */
  readonly byChoice: ReadonlyMap<string, number>;
}

/** How many people have a value of each field, by the field's id: one listing of everybody's values. */
export async function countValues(app: ChatApp, realmId: number): Promise<ReadonlyMap<number, ValueCount>> {
  const fields = await readFields(app, realmId);
  const isShown = shownBy(fields);
  const tallies = new Map<string, Tally>();
  for (const { id, type } of fields) {
    tallies.set(String(id), { people: 0, byChoice: new Map(), isChoice: type === FIELD_TYPE.choice });
  }
  for await (const { data } of eachProfile(app, realmId)) {
    for (const [id, { value }] of Object.entries(shownOf(isShown, data))) note(tallies.get(id), value);
  }
  return new Map([...tallies].map(([id, { people, byChoice }]) => [Number(id), { people, byChoice }]));
}

interface Tally {
  people: number;
  readonly byChoice: Map<string, number>;
  readonly isChoice: boolean;
}

function note(tally: Tally | undefined, value: string): void {
  if (tally === undefined) return;
  tally.people++;
  if (tally.isChoice) tally.byChoice.set(value, (tally.byChoice.get(value) ?? 0) + 1);
}
