import type { Key } from "@/lib/store/key.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { NamedEmoji } from "../organization/emoji/model.ts";
import type { ChatApp } from "../organization/app.ts";
import { described, optional, text } from "../organization/params/param.ts";
import { canAccessUser, type PermissionContext } from "../organization/permissions/model/membership.ts";
import { toApiEmail, toPlaceholderEmail, type UserRecord } from "../organization/users/model.ts";
import type { Viewer } from "./model.ts";

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
export const MAX_REACTIONS = 2000;

const NO_REACTIONS: ReactionsRecord = { emoji: [], given: [] };

export function reactionsKey(realmId: number, messageId: number): Key {
  return [...reactionsPrefix(realmId), messageId];
}

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

/** Writes the reactions to a message; null deletes the record. */
export function writeReactions(
  tx: Tx,
  { realmId, messageId }: { realmId: number; messageId: number },
  record: ReactionsRecord | null,
): void {
  const key = reactionsKey(realmId, messageId);
  if (record === null) tx.delete(key);
  else tx.set(key, record);
}

const emojiParts = {
  emoji_code: described(
    optional(text()),
    "Hexadecimal code points joined by dashes, or a custom emoji id. Defaults to the code of the name.",
  ),
  reaction_type: described(optional(text()), "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`."),
};

export const addReactionParams = { emoji_name: described(text(), "Name of the emoji."), ...emojiParts };

export const removeReactionParams = {
  emoji_name: described(optional(text()), "Name of the emoji; required without a code."),
  ...emojiParts,
};

/** Name of a user whom the viewer cannot access. */
const UNKNOWN_NAME = "Unknown user";

/**
 * Returns the name and address of a user who reacted, for older clients. A viewer without access to the account
 * receives neither; spectators receive a placeholder address.
 */
export function toReactingUser(
  app: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  { viewer, id, user }: { viewer: Viewer; id: number; user: UserRecord | null },
) {
  const { realm } = permissions;
  const isKnown = user !== null && (viewer === null || canAccessUser(permissions, viewer, user));
  return {
    email: isKnown && viewer !== null ? toApiEmail(app, realm, user) : toPlaceholderEmail(app, realm, { id }),
    full_name: isKnown ? user.full_name : UNKNOWN_NAME,
    is_mirror_dummy: false,
  };
}

/** Converts the reactions to a message, with their users as far as the viewer may know them. */
export function toApiReactions(
  app: Pick<ChatApp, "config">,
  permissions: PermissionContext,
  { given, users, viewer }: {
    given: readonly Reaction[];
    users: ReadonlyMap<number, UserRecord>;
    viewer: Viewer;
  },
) {
  const shown = new Map(given.map(({ user_id: id }) => {
    const user = users.get(id) ?? null;
    return [id, { id, ...toReactingUser(app, permissions, { viewer, id, user }) }] as const;
  }));
  return given.map((reaction) => ({ ...reaction, user: shown.get(reaction.user_id) }));
}
