import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import type { NamedEmoji } from "../emoji/resolve_emoji.ts";

/** All reactions to one message: few emoji, given by many. */
export interface ReactionsRecord {
  /** Each once. */
  readonly emoji: readonly NamedEmoji[];
  /** Who gave which, by the emoji's place above; oldest first. */
  readonly given: readonly (readonly [emoji: number, userId: number])[];
}

/** A reaction as messages show it. */
export interface Reaction extends NamedEmoji {
  readonly user_id: number;
}

/** Different emoji under one message at most: with MAX_REACTIONS they fit into one record of the store. */
export const MAX_REACTION_EMOJI = 100;
/** Reactions to one message at most. */
export const MAX_REACTIONS = 2000;

const NONE: ReactionsRecord = { emoji: [], given: [] };

/** Where the reactions to a message lie in the store. */
export function reactionsKey(realmId: number, messageId: number): Key {
  return [realmId, "reactions", messageId];
}

/** The reactions to a message, oldest first. */
export async function readReactions(app: ChatApp, realmId: number, messageId: number): Promise<Reaction[]> {
  return toReactions(await app.reads.read<ReactionsRecord>(reactionsKey(realmId, messageId)));
}

/** Stored reactions one by one, oldest first; none where nothing is stored. */
export function toReactions(record: ReactionsRecord | null): Reaction[] {
  const { emoji, given } = record ?? NONE;
  return given.flatMap(([at, user_id]) => {
    const named = emoji[at];
    return named === undefined ? [] : [{ ...named, user_id }];
  });
}

/** Reactions as they are stored; null where there are none. */
export function toReactionsRecord(reactions: readonly Reaction[]): ReactionsRecord | null {
  const emoji: NamedEmoji[] = [];
  const given = reactions.map(({ user_id, ...named }) => {
    const at = emoji.findIndex((other) => isSameEmoji(other, named));
    return [at >= 0 ? at : emoji.push(named) - 1, user_id] as const;
  });
  return given.length === 0 ? null : { emoji, given };
}

/** Whether two names are of one emoji: its code and type decide. */
export function isSameEmoji(
  one: Pick<NamedEmoji, "emoji_code" | "reaction_type">,
  other: Pick<NamedEmoji, "emoji_code" | "reaction_type">,
): boolean {
  return one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;
}
