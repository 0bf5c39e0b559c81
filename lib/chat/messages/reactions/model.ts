import type { Key } from "@/lib/store/key.ts";
import type { NamedEmoji } from "@/lib/chat/emoji/model.ts";

/** All reactions to a message; compact, because few emoji are used by many users. */
export interface ReactionsRecord {
  /** Distinct emoji. */
  readonly emoji: readonly NamedEmoji[];
  /** Index of the emoji and the user who reacted, oldest first. */
  readonly given: readonly (readonly [emoji: number, userId: number])[];
}

/** A reaction as messages contain it. */
export interface Reaction extends NamedEmoji {
  readonly user_id: number;
}

/**
 * Maximum number of different emoji on a message; with MAX_REACTIONS the record fits into one store value.
 */
export const MAX_REACTION_EMOJI = 100;
/** Maximum number of reactions to a message. */
export const MAX_REACTIONS = 2000;

const NO_REACTIONS: ReactionsRecord = { emoji: [], given: [] };

/** Returns the key of the reactions to a message. */
export function reactionsKey(realmId: number, messageId: number): Key {
  return [...reactionsPrefix(realmId), messageId];
}

/** Returns the prefix of the messages that have reactions. */
export function reactionsPrefix(realmId: number): Key {
  return [realmId, "reactions"];
}

/** Expands a stored record to single reactions, oldest first; empty when nothing is stored. */
export function toReactions(record: ReactionsRecord | null): Reaction[] {
  const { emoji, given } = record ?? NO_REACTIONS;
  return given.flatMap(([at, user_id]) => {
    const named = emoji[at];
    return named === undefined ? [] : [{ ...named, user_id }];
  });
}

/** Converts reactions to the stored record; null when there are none. */
export function toReactionsRecord(reactions: readonly Reaction[]): ReactionsRecord | null {
  const emoji: NamedEmoji[] = [];
  const given = reactions.map(({ user_id, ...named }) => {
    const at = emoji.findIndex((other) => isSameEmoji(other, named));
    return [at >= 0 ? at : emoji.push(named) - 1, user_id] as const;
  });
  return given.length === 0 ? null : { emoji, given };
}

/** Returns whether two names denote the same emoji, by code and type. */
export function isSameEmoji(
  one: Pick<NamedEmoji, "emoji_code" | "reaction_type">,
  other: Pick<NamedEmoji, "emoji_code" | "reaction_type">,
): boolean {
  return one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;
}
