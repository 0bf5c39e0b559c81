import { announceMembers } from "@/lib/chat/announcements/groups.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/group_world.ts";
import { createGroup } from "@/lib/chat/user_groups/create.ts";
import type { AdminPageSpec, Done } from "./admin_page.ts";
import type { AdminRequest } from "./admin_request.ts";
import { explainGroup } from "./group_refusals.ts";
import { GROUP_LIMITS, listGroupChoices, newValues, readGroupForm } from "./group_form.ts";
import type { FormFields } from "./form_fields.ts";
import { findPeople } from "./permission_people.ts";
import {
  loadNewPermissions,
  type PermissionGroup,
  readPermissionFields,
  type ShownPermission,
} from "./permission_values.ts";

/** What the page that makes a group shows. */
export interface NewGroupData {
  readonly limits: typeof GROUP_LIMITS;
  readonly groups: readonly PermissionGroup[];
  readonly permissions: readonly ShownPermission[];
}

/** The page that makes a group. */
export const newGroupPage: AdminPageSpec<NewGroupData> = {
  load: async (request) => ({
    limits: GROUP_LIMITS,
    groups: listGroupChoices(request, await peekPermissionContext(request.chat, request.realm)),
    permissions: await loadNewPermissions(request, "user_group"),
  }),
  actions: { create: { run: create } },
};

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, speech, words } = request;
  const texts = readGroupForm(request, fields);
  const members = (await findPeople(request, fields.text("people"), "people")).map(({ id }) => id);
  const permissions = newValues(await readPermissionFields(request, fields, "user_group"));
  const wanted = { ...texts, members, subgroups: fields.ints("groups"), permissions };
  const { id, name } = await explainGroup(request, () => createGroup(chat, caller, wanted));
  await announceMembers(chat, caller, { groupId: id, added: members, removed: [] });
  return { said: speech.say(words.groups.created, { name }), to: `/admin/groups/${id}`, result: { id } };
}
