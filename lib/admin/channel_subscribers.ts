import { listPage } from "@/lib/kv/page.ts";
import { channelKeys } from "@/lib/chat/channels/channel.ts";
import { listGroupMembers } from "@/lib/chat/user_groups/read_members.ts";
import { systemGroupName } from "@/lib/chat/permissions/system_groups.ts";
import { isBot } from "@/lib/chat/users/user.ts";
import { FormRefusal } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import type { FormFields } from "./form_fields.ts";
import { findPeople } from "./permission_people.ts";
import { readShownPeople, type ShownPerson } from "./shown_people.ts";

/** Subscribers that a page names. */
const MAX_NAMED = 100;

/** Some of a channel's subscribers, at most a hundred, those with the oldest accounts, by name. */
export async function listFirstSubscribers(
  request: AdminRequest,
  channelId: number,
): Promise<readonly ShownPerson[]> {
  const { chat, realm } = request;
  // Of a channel with thousands of people, only these are read.
  const prefix = channelKeys.subscribers(realm.id, channelId);
  const { entries } = await listPage<true>(chat.store.kv, prefix, { limit: MAX_NAMED, cursor: null });
  return await readShownPeople(request, entries.map(({ key }) => Number(key.at(-1))));
}

/**
 * The ids of those whom a form names as a new channel's first subscribers. Of a role, only people: bots are named one by
 * one.
 * @throws FormRefusal where nobody is named, or somebody who is not there.
 */
export async function readFirstSubscribers(
  request: AdminRequest,
  fields: FormFields,
): Promise<readonly number[]> {
  const { chat, realm, user, words } = request;
  switch (fields.text("first")) {
    case "me":
      return [user.id];
    case "group": {
      const groupId = fields.int("first_group");
      if (groupId === null) throw new FormRefusal({ first_group: words.channels.chooseGroup });
      const members = await listGroupMembers(chat, realm, { groupId, isDirectOnly: false });
      const isRole = systemGroupName(realm, groupId) !== null;
      return members.filter((member) => !isRole || !isBot(member)).map(({ id }) => id);
    }
    case "people": {
      const people = await findPeople(request, fields.text("first_people"), "first_people");
      if (people.length === 0) throw new FormRefusal({ first_people: words.channels.namePeople });
      return people.map(({ id }) => id);
    }
    default:
      return [];
  }
}
