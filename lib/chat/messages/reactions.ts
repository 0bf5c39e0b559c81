import {
  type Caller,
  toApiEmail,
  toPlaceholderEmail,
  type UserRecord,
} from "@/lib/chat/organization/users/model.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { AppError } from "@/lib/core/errors.ts";
import { act } from "@/lib/chat/organization/users/store.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type NamedEmoji,
  requireEmoji,
  resolveEmoji,
  type SentEmoji,
} from "@/lib/chat/organization/emoji.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import {
  canAccessUser,
  type PermissionContext,
} from "@/lib/chat/organization/permissions/model/membership.ts";
import { applyParticipationPolicy } from "@/lib/chat/channels/topics/automatic_policy.ts";
import { getVisibleMessage } from "./access.ts";
import { messageKeys, type MessageRecord, type Viewer } from "./model.ts";
import type { Key } from "@/lib/store/key.ts";
import { described, optional, text } from "../organization/params/param.ts";

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

/** A reaction to remove, identified by the name or the code of its emoji. */
type ReactionRemoval = Omit<SentEmoji, "emoji_name"> & { readonly emoji_name: string | undefined };

/** The reactions after a change, and the emoji that was added or removed. */
interface ReactionChange {
  readonly after: ReactionsRecord | null;
  readonly op: "add" | "remove";
  readonly emoji: NamedEmoji;
}

/** @throws AppError REACTION_ALREADY_EXISTS, and BAD_REQUEST for an unknown emoji and too many reactions. */
export function addReaction(
  app: ChatApp,
  caller: Caller,
  { messageId, sent }: { messageId: number; sent: SentEmoji },
): Promise<void> {
  const { realm, actingUser: user } = caller;
  return changeReactions(app, caller, messageId, async (reactions) => {
    const requested = await resolveEmoji(app, realm.id, sent);
    const same = reactions.filter((reaction) => isSameEmoji(reaction, requested));
    if (same.some(({ user_id }) => user_id === user.id)) {
      throw new AppError("REACTION_ALREADY_EXISTS", "Reaction already exists.");
    }
    // A repeated reaction takes the name of the first, so a deactivated custom emoji can still be added.
    const [existing] = same;
    if (existing === undefined) await requireEmoji(app, realm.id, requested);
    const emoji = { ...requested, emoji_name: existing?.emoji_name ?? requested.emoji_name };
    const after = toReactionsRecord([...reactions, { ...emoji, user_id: user.id }]);
    if (after !== null && (after.emoji.length > MAX_REACTION_EMOJI || after.given.length > MAX_REACTIONS)) {
      throw new AppError(
        "BAD_REQUEST",
        `A message has at most ${MAX_REACTIONS} reactions, of at most ${MAX_REACTION_EMOJI} emoji.`,
      );
    }
    return { after, op: "add", emoji };
  });
}

/** @throws AppError REACTION_DOES_NOT_EXIST; BAD_REQUEST for an unknown emoji or message. */
export function removeReaction(
  app: ChatApp,
  caller: Caller,
  { messageId, sent }: { messageId: number; sent: ReactionRemoval },
): Promise<void> {
  const { realm, actingUser: user } = caller;
  return changeReactions(app, caller, messageId, async (reactions) => {
    const requested = await parseRemoval(app, realm.id, sent);
    const own = reactions.find((reaction) =>
      reaction.user_id === user.id && isSameEmoji(reaction, requested)
    );
    if (own === undefined) throw new AppError("REACTION_DOES_NOT_EXIST", "Reaction doesn't exist.");
    const { user_id: _user, ...emoji } = own;
    return {
      after: toReactionsRecord(reactions.filter((reaction) => reaction !== own)),
      op: "remove",
      emoji,
    };
  });
}

/** Changes the reactions to a message that the caller can see, and sends the event to its channel or conversation. */
async function changeReactions(
  app: ChatApp,
  caller: Caller,
  messageId: number,
  change: (reactions: readonly Reaction[]) => Promise<ReactionChange>,
): Promise<void> {
  const { realm } = caller;
  const key = reactionsKey(realm.id, messageId);
  await act(app, caller, async ({ tx, actingUser: user }) => {
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const visible = await getVisibleMessage(app, permissions, { id: messageId, user });
    // Checked at the commit, in case the message is deleted or moved concurrently.
    const message = await tx.get<MessageRecord>(messageKeys.message(realm.id, messageId));
    if (message === null) throw new AppError("BAD_REQUEST", "Invalid message(s)");
    const { after, op, emoji } = await change(toReactions(await tx.get<ReactionsRecord>(key)));
    if (after === null) tx.delete(key);
    else tx.set(key, after);
    const { channel_id: channel } = visible.message;
    sendEvent(tx, { realmId: realm.id, now: permissions.now }, {
      event: { type: "reaction", op, user_id: user.id, message_id: messageId, ...emoji },
      audience: channel === null ? visible.conversation?.user_ids ?? [] : { channel },
    });
    if (op === "add") await applyParticipationPolicy(app, tx, { permissions, user, message });
  }, `reactions ${realm.id} ${messageId}`);
}

/** Resolves the emoji of a removal. The code suffices; its type defaults to standard emoji. */
async function parseRemoval(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: ReactionRemoval,
): Promise<Pick<NamedEmoji, "emoji_code" | "reaction_type">> {
  if (emoji_code !== undefined) return { emoji_code, reaction_type: reaction_type ?? "unicode_emoji" };
  if (emoji_name === undefined) {
    throw new AppError(
      "BAD_REQUEST",
      "At least one of the following arguments must be present: emoji_name, emoji_code",
    );
  }
  return await resolveEmoji(app, realmId, { emoji_name, emoji_code, reaction_type });
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
