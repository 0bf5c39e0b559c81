import { listGroupMembers } from "@/lib/chat/user_groups/store.ts";
import { systemGroupName } from "@/lib/chat/permissions/model/system_groups.ts";
import { isBot } from "@/lib/chat/users/model.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findPeople, readPeopleInput } from "../people/find_people.ts";

/**
 * Returns the ids of the first subscribers that a form names. A role stands for its users only; bots are
 * named one by one.
 * @throws FormRefusal when no one or an unknown user is named.
 */
export async function readFirstSubscribers(
  request: AdminRequest,
  fields: FormFields,
): Promise<readonly number[]> {
  const { chat, realm, user, messages } = request;
  switch (fields.text("first")) {
    case "me":
      return [user.id];
    case "group": {
      const groupId = fields.int("first_group");
      if (groupId === null) throw new FormRefusal({ first_group: messages.channels.chooseGroup });
      const members = await listGroupMembers(chat, realm, { groupId, isDirectOnly: false });
      const isRole = systemGroupName(realm, groupId) !== null;
      return members.filter((member) => !isRole || !isBot(member)).map(({ id }) => id);
    }
    case "people": {
      const people = await findPeople(request, readPeopleInput(fields, "first_people"), "first_people");
      if (people.length === 0) throw new FormRefusal({ first_people: messages.channels.namePeople });
      return people.map(({ id }) => id);
    }
    default:
      return [];
  }
}
