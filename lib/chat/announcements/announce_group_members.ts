import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import type { Caller } from "../users/model.ts";
import { readUser } from "../users/store.ts";
import { sendUserNotices } from "./send_notice.ts";
import { silentGroupMention, silentMention } from "./model.ts";

/** Users that the acting user added to a group or removed from it. */
export interface MembershipNotices {
  readonly groupId: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Sends a notice to each user that the caller added to a group or removed from it, except for themselves. */
export async function announceGroupMembers(
  app: ChatApp,
  caller: Caller,
  { groupId, added, removed }: MembershipNotices,
): Promise<void> {
  const { realm, actingUser } = caller;
  const group = (await peekPermissionContext(app, realm)).groups.get(groupId);
  if (group === undefined) return;
  const actor = silentMention(actingUser);
  const notices = [
    { ids: added, text: `${actor} added you to the group ${silentGroupMention(group)}.` },
    { ids: removed, text: `${actor} removed you from the group ${silentGroupMention(group)}.` },
  ];
  for (const { ids, text } of notices) {
    const found = await Promise.all([...new Set(ids)].map((id) => readUser(app, realm.id, id)));
    const users = found.filter((user) => user !== null).filter(({ id }) => id !== actingUser.id);
    await sendUserNotices(app, caller, { users, text });
  }
}
