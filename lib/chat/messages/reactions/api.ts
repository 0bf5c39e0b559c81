import type { ChatApp } from "@/lib/chat/app.ts";
import { described, optional, text } from "@/lib/chat/params/param.ts";
import { canAccessUser, type PermissionContext } from "@/lib/chat/permissions/model/membership.ts";
import { toApiEmail, toPlaceholderEmail, type UserRecord } from "@/lib/chat/users/model.ts";
import type { Viewer } from "../model.ts";
import type { Reaction } from "./model.ts";

const emojiParts = {
  emoji_code: described(
    optional(text()),
    "Hexadecimal code points joined by dashes, or a custom emoji id. Defaults to the code of the name.",
  ),
  reaction_type: described(optional(text()), "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`."),
};

/** Parameters of adding a reaction. */
export const addReactionParams = { emoji_name: described(text(), "Name of the emoji."), ...emojiParts };

/** Parameters of removing a reaction. */
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
