import type { ChatApp } from "../app.ts";
import { permissionsOf } from "../permissions/store.ts";
import { formatName, silentMention } from "../rendering/format_markdown.ts";
import { sendUserNotices } from "../users/events.ts";
import type { Caller } from "../users/model.ts";
import { readUser } from "../users/store.ts";

/** Sends a notice to each user that the caller added to a group or removed from it, except for themselves. */
export async function announceGroupMembers(
  app: ChatApp,
  caller: Caller,
  { groupId, added, removed }: { groupId: number; added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  const { realm, actingUser } = caller;
  const group = (permissionsOf(await app.readOrganization(realm.id), app.clock)).groups.get(groupId);
  if (group === undefined) return;
  const actor = silentMention(actingUser);
  // A name with an asterisk cannot be mentioned.
  const mention = group.name.includes("*") ? formatName(group.name) : `@_*${group.name}*`;
  const notices = [
    { ids: added, text: `${actor} added you to the group ${mention}.` },
    { ids: removed, text: `${actor} removed you from the group ${mention}.` },
  ];
  for (const { ids, text } of notices) {
    const found = await Promise.all([...new Set(ids)].map((id) => readUser(app, realm.id, id)));
    const users = found.filter((user) => user !== null).filter(({ id }) => id !== actingUser.id);
    await sendUserNotices(app, caller, { users, text });
  }
}
