import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import fc from "@/tests/helpers/fast_check.ts";

/** A JSON object as a client stores it: the state, a part of it, or an event. */
// deno-lint-ignore no-explicit-any
export type JsonRecord = Record<string, any>;

/** Random numbers, names and choices from one seed. */
export interface Dice {
  below(limit: number): number;
  one<T>(list: readonly [T, ...T[]]): T;
  /** Returns an element of a list; undefined when it is empty. */
  any<T>(list: readonly T[]): T | undefined;
  name(): string;
  yes(): boolean;
}

/**
 * Input of operations: the acting users, the users acted upon, the state of the administrator's client, the
 * newest message.
 */
export interface Stage {
  readonly chat: TestChat;
  readonly dice: Dice;
  readonly actors: readonly [TestUser, ...TestUser[]];
  readonly targets: readonly [TestUser, ...TestUser[]];
  readonly known: JsonRecord;
  readonly lastMessageId: number;
}

/** A request. */
export interface Operation {
  readonly user: TestUser;
  readonly endpoint: string;
  readonly params?: TestParams;
  readonly files?: readonly Blob[];
}
/** Creates a request from the current state. */
export type Make = (stage: Stage) => Operation;

/** Returns a random value of a permission: a system group, or users and groups. */
export function setting({ dice, chat, actors, targets, known }: Stage): number | TestParams {
  if (dice.yes()) return chat.realm.first_system_group_id + dice.one([1, 2, 3, 4, 5]);
  const groupId = dice.any<JsonRecord>(known.realm_user_groups.filter(isUsable))?.id;
  const direct_subgroups = groupId !== undefined && dice.yes() ? [groupId] : [];
  const people = [...new Set([dice.one(actors).id, dice.one(targets).id])];
  const direct_members = direct_subgroups.length > 0 && dice.yes() ? [] : people;
  return { direct_members, direct_subgroups };
}

function isUsable({ is_system_group, deactivated }: JsonRecord): boolean {
  return !is_system_group && !deactivated;
}

/** Creates dice whose results follow from a seed. */
export function createDice(seed: number): Dice {
  const numbers = fc.sample(fc.nat(1_000_000), { seed, numRuns: 20_000 });
  let at = 0;
  const below = (limit: number) => (numbers[at++ % numbers.length] ?? 0) % limit;
  return {
    below,
    one: (list) => list[below(list.length)] ?? list[0],
    any: (list) => list.length === 0 ? undefined : list[below(list.length)],
    name: () => `n${at++}x${below(1_000_000)}`,
    yes: () => below(2) === 0,
  };
}

/** Prefixes of operations that remove what others work on: they occur half as often. */
const RARE = ["archive", "end_group", "deactivate", "remove_"];
/** Operations that create what others work on: they occur first. */
const FIRST = /^add_/;

/** Yields names of operations for a number of rounds: creations first, then each about equally often. */
export function* dealOperations(names: readonly string[], dice: Dice, rounds: number): Generator<string> {
  const first = names.filter((name) => FIRST.test(name));
  yield* first;
  yield* first;
  for (let count = 2 * first.length; count < rounds;) {
    const name = dice.any(names) ?? "";
    if (RARE.some((start) => name.startsWith(start)) && dice.yes()) continue;
    count++;
    yield name;
  }
}
