import type { ChatApp } from "../app.ts";
import { commonMentions, type MentionEdit } from "../messages/added_mentions.ts";
import type { MessageRecord } from "../messages/message.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { Lookups } from "./lookups.ts";
import { isMention, type NotificationReason } from "./reason.ts";
import { reasonFor } from "./reason_for.ts";
import { sentKeys } from "./sent.ts";

/**
 * Why an edit of a message notifies the account with this id, as things are now; null where it does not: whom it did not
 * name, or no longer names, or who had a reason already, or was told of it.
 */
export async function reasonForEdit(
  app: ChatApp,
  permissions: PermissionContext,
  { message, edit, userId, lookups }: {
    message: MessageRecord;
    edit: MentionEdit;
    userId: number;
    lookups: Lookups;
  },
): Promise<NotificationReason | null> {
  const reasonWith = (mentions: MessageRecord["mentions"]) =>
    reasonFor(app, permissions, { message: { ...message, mentions }, userId, lookups });
  const reason = await reasonWith(commonMentions(edit.added, message.mentions));
  if (reason === null || !isMention(reason) || await reasonWith(edit.before) !== null) return null;
  const told = await app.reads.read<readonly number[]>(sentKeys.sent(permissions.realm.id, userId));
  return told?.includes(message.id) === true ? null : reason;
}
