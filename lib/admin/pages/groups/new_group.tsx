import { useFormState } from "@/components/admin/form_state.ts";
import { CreateForm } from "@/components/admin/permissions/CreateForm.tsx";
import { createGroup } from "@/lib/chat/organization/user_groups/change_group.ts";
import { MAX_GROUP_DESCRIPTION, MAX_GROUP_NAME } from "@/lib/chat/organization/user_groups/model/group.ts";
import { mapValues } from "es-toolkit/object/mapValues";
import { nameFields, people, records } from "@/lib/admin/declare/fields.tsx";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { listGroupChoices } from "@/lib/admin/permissions/group_names.ts";
import {
  explainPermissions,
  loadNewPermissions,
  readPermissionFields,
} from "@/lib/admin/permissions/permission_values.ts";
import { groupsPage } from "./groups.tsx";

const texts = {
  permissionsHint: "By default, you can manage the group and everyone can mention it. Change this if needed.",
};

export const groupFields = nameFields(
  { name: MAX_GROUP_NAME, description: MAX_GROUP_DESCRIPTION },
  "What the group is for. Up to {count} characters.",
);

const create = form({
  action: "create",
  button: "Create group",
  fields: {
    ...groupFields,
    people: people({ label: "People", rows: 6 }),
    groups: records({
      label: "Subgroups",
      hint: "Their members also belong to this group.",
      empty: "There are no other groups.",
    }),
  },
  run: async (request, { people, groups, ...values }, submitted) => {
    const { chat, caller, t } = request;
    const updates = await readPermissionFields(request, submitted, "user_group");
    const wanted = {
      ...values,
      members: people.map(({ id }) => id),
      subgroups: groups,
      permissions: mapValues(updates, (update) => update.new),
    };
    const { id, name } = await explainPermissions(request, () => createGroup(chat, caller, wanted));
    return { flash: t("Group {name} created.", { name }), to: `/admin/groups/${id}` };
  },
});

export const newGroupPage = adminPage({
  path: "/admin/groups/new",
  find: { words: "add new team" },
  title: "Create group",
  lede: "Choose its name, its members, and who can manage and mention it. You can change everything later.",
  above: [groupsPage],
  load: async (request) => ({
    groups: listGroupChoices(request, await request.readPermissions()),
    permissions: await loadNewPermissions(request, "user_group"),
  }),
  forms: [create],
  view: ({ data: { groups, permissions } }) => {
    const { text } = useTexts(texts);
    const state = useFormState(create);
    const { name, description, people, groups: subgroups } = create.renderFields(state, {}, { groups });
    return (
      <CreateForm
        of={create}
        back={groupsPage.path}
        permissions={permissions}
        permissionsHint={text.permissionsHint}
      >
        <div class="grid max-w-[40rem] gap-4">{name}{description}</div>
        <div class="grid gap-x-5 gap-y-4 sm:grid-cols-2">
          {people}
          {subgroups}
        </div>
      </CreateForm>
    );
  },
});
