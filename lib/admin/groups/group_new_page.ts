import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { createGroup } from "@/lib/chat/user_groups/change_group.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { explainGroup } from "./group_refusals.ts";
import { GROUP_LIMITS, listGroupChoices, newValues, readGroupForm } from "./group_form.ts";
import type { FormFields } from "../form_fields.ts";
import { findPeople, readPeopleInput } from "../people/find_people.ts";
import {
  loadNewPermissions,
  type PermissionGroup,
  readPermissionFields,
  type ShownPermission,
} from "../permissions/permission_values.ts";

/** Data of the page that creates a group. */
export interface NewGroupData {
  readonly limits: typeof GROUP_LIMITS;
  readonly groups: readonly PermissionGroup[];
  readonly permissions: readonly ShownPermission[];
}

/** The page that creates a group. */
export const newGroupPage: AdminPageSpec<NewGroupData> = {
  load: async (request) => ({
    limits: GROUP_LIMITS,
    groups: listGroupChoices(request, await peekPermissionContext(request.chat, request.realm)),
    permissions: await loadNewPermissions(request, "user_group"),
  }),
  actions: { create: { run: create } },
};

async function create(request: AdminRequest, fields: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const texts = readGroupForm(request, fields);
  const members = (await findPeople(request, readPeopleInput(fields, "people"), "people")).map(({ id }) =>
    id
  );
  const permissions = newValues(await readPermissionFields(request, fields, "user_group"));
  const wanted = { ...texts, members, subgroups: fields.ints("groups"), permissions };
  const { id, name } = await explainGroup(request, () => createGroup(chat, caller, wanted));
  return { flash: formatter.t(messages.groups.created, { name }), to: `/admin/groups/${id}`, result: { id } };
}
