import fc from "@/tests/helpers/fast_check.ts";
import type { Heard } from "@/tests/api/chat/events_cast.ts";
import type { Person, Sent, TestChat } from "@/tests/helpers/chat.ts";

/** Numbers, names and choices at random, all out of one seed. */
export interface Dice {
  below(limit: number): number;
  one<T>(list: readonly [T, ...T[]]): T;
  /** One of a list that may be empty; undefined where it is. */
  any<T>(list: readonly T[]): T | undefined;
  name(): string;
  yes(): boolean;
}

/** What operations choose from: who acts, who is acted upon, what the administrator's client knows, how many messages there are. */
export interface Stage {
  readonly chat: TestChat;
  readonly dice: Dice;
  readonly actors: readonly [Person, ...Person[]];
  readonly targets: readonly [Person, ...Person[]];
  readonly known: Heard;
  readonly lastMessageId: number;
}

/** One request. */
export interface Operation {
  readonly who: Person;
  readonly endpoint: string;
  readonly params?: Sent;
  readonly files?: readonly Blob[];
}
/** Makes a request out of what there is. */
export type Make = (stage: Stage) => Operation;

/** A value of a permission: a system group, or some accounts and groups. */
export function setting({ dice, chat, actors, targets, known }: Stage): number | Sent {
  if (dice.yes()) return chat.realm.first_system_group_id + dice.one([1, 2, 3, 4, 5]);
  const made = dice.any<Heard>(known.realm_user_groups.filter(isUsable))?.id;
  const direct_subgroups = made !== undefined && dice.yes() ? [made] : [];
  const people = [...new Set([dice.one(actors).id, dice.one(targets).id])];
  const direct_members = direct_subgroups.length > 0 && dice.yes() ? [] : people;
  return { direct_members, direct_subgroups };
}

function isUsable({ is_system_group, deactivated }: Heard): boolean {
  return !is_system_group && !deactivated;
}

/** Numbers that follow from a seed. */
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

/** Operations that take away what others work on: they come half as often. */
const RARE = ["archive", "end_group", "deactivate", "remove_"];
/** Operations that make what others work on: they come first. */
const FIRST = /^add_/;

/** The names of operations for so many rounds: those that make something first, each about as often as any other. */
export function* dealt(names: readonly string[], dice: Dice, rounds: number): Generator<string> {
  const first = names.filter((name) => FIRST.test(name));
  yield* first;
  yield* first;
  for (let dealt = 2 * first.length; dealt < rounds;) {
    const name = dice.any(names) ?? "";
    if (RARE.some((start) => name.startsWith(start)) && dice.yes()) continue;
    dealt++;
    yield name;
  }
}
