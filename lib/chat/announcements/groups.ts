import type { ChatApp } from "../app.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { Caller } from "../users/caller.ts";
import { readUser } from "../users/store.ts";
import { mention, tellPeople } from "./announce.ts";

/** Tells people that somebody put them into a group or took them out; nobody is told of what he did himself. */
export async function announceMembers(
  app: ChatApp,
  happening: Caller,
  { groupId, added, removed }: { groupId: number; added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  const { realm, actingUser } = happening;
  const group = (await peekPermissionContext(app, realm)).groups.get(groupId);
  if (group === undefined) return;
  const who = mention(actingUser);
  const sentences = [
    { ids: added, text: `${who} added you to the group @_*${group.name}*.` },
    { ids: removed, text: `${who} removed you from the group @_*${group.name}*.` },
  ];
  for (const { ids, text } of sentences) {
    const users = await Promise.all([...new Set(ids)].map((id) => readUser(app, realm.id, id)));
    const people = users.filter((user) => user !== null && user.id !== actingUser.id).filter((user) =>
      user !== null
    );
    await tellPeople(app, happening, { people, text });
  }
}
