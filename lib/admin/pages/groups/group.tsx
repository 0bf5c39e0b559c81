import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { PermissionSection } from "@/components/admin/permissions/PermissionSection.tsx";
import { Link } from "@/components/Link.tsx";
import { deactivateGroup, updateGroup } from "@/lib/chat/organization/user_groups/change_group.ts";
import { readUserList } from "@/lib/chat/organization/users/store.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { Confirm } from "@/lib/admin/declare/confirm.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { ofSubject } from "@/lib/admin/events/shown_events.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { impactForms } from "@/lib/admin/permissions/impact_preview.tsx";
import { findGroupImpact, findPermissionImpact } from "@/lib/admin/permissions/permission_impact.ts";
import {
  explainPermissions,
  loadPermissions,
  readPermissionFields,
} from "@/lib/admin/permissions/permission_values.ts";
import {
  getGroup,
  loadMembers,
  memberForms,
  members,
  readMemberChange,
  Subgroups,
} from "./group_members.tsx";
import { MemberSection } from "../members.tsx";
import { toWhoCanPath } from "../organization/who_can.tsx";
import { GroupUses, listGroupUses } from "./group_uses.tsx";
import { countAll, countDirect, groupsPage } from "./groups.tsx";
import { groupFields } from "./new_group.tsx";

const texts = {
  memberCount: { one: "{count} member", other: "{count} members" },
  deactivatedNote:
    "This group is deactivated. Nobody can mention it or use it in new settings. Its members are kept.",
  notYours:
    "You can view this group, but you do not have permission to change all of it. Ask someone who can manage it.",
};

async function loadGroup(request: AdminRequest) {
  const permissions = await request.readPermissions();
  const group = await getGroup(request);
  const [users, uses, loaded, shown] = await Promise.all([
    readUserList(request.chat, request.realm.id),
    listGroupUses(request, group),
    loadMembers(request, permissions, group),
    loadPermissions(request, { kind: "user_group", owner: group }),
  ]);
  return {
    ...{ ...loaded, uses, permissions: shown },
    direct: countDirect(users, group),
    all: countAll(permissions, users, group),
  };
}

/** Calculates the effect of one of the forms of a group's page, which its field `edit` names. */
async function findImpact(request: AdminRequest, fields: FormFields) {
  const group = await getGroup(request);
  const changed = await readMemberChange(request, fields, group);
  if (changed !== null) return await findGroupImpact(request, changed);
  const updates = await readPermissionFields(request, fields, "user_group");
  return await findPermissionImpact(request, { kind: "user_group", owner: group }, updates);
}

type GroupChanges = Parameters<typeof updateGroup>[2]["changes"];

async function change(request: AdminRequest, changes: Partial<GroupChanges>): Promise<void> {
  const groupId = pathId(request);
  await updateGroup(request.chat, request.caller, { groupId, changes: { permissions: {}, ...changes } });
}

const save = form({
  action: "save",
  button: "Save",
  fields: groupFields,
  stored: async (request) => {
    const { name, description } = await getGroup(request);
    return { name, description };
  },
  run: async (request, values) => {
    const stored = await getGroup(request);
    // Blanks around an older name stay until the name is changed.
    const name = values.name === stored.name.trim() ? stored.name : values.name;
    await change(request, { ...values, name });
    return { flash: request.t("Group {name} saved.", { name }) };
  },
});

const savePermissions = form({
  action: "permissions",
  run: async (request, _, submitted) => {
    const permissions = await readPermissionFields(request, submitted, "user_group");
    if (Object.keys(permissions).length > 0) {
      await explainPermissions(request, () => change(request, { permissions }));
    }
    const { name } = await getGroup(request);
    return { flash: request.t("Permissions of {name} saved.", { name }) };
  },
});

const reactivate = form({
  action: "reactivate",
  button: "Reactivate group",
  run: async (request) => {
    await change(request, { deactivated: false });
    const { name } = await getGroup(request);
    return { flash: request.t("Group {name} reactivated.", { name }) };
  },
});

export const groupPage = adminPage({
  path: "/admin/groups/[id]",
  title: ({ group }) => group.name,
  lede: ({ direct: count, all, inside }, t) => {
    const direct = t(texts.memberCount, { count });
    return inside.length === 0 ? direct : t("{direct} · {all} including subgroups", { direct, all });
  },
  above: [groupsPage],
  actions: ({ data: { group } }) => {
    const { t, opens } = useTexts(texts);
    const path = `/admin/groups/${group.id}/deactivate`;
    if (group.deactivated || !opens(path)) return null;
    return <Link class={QUIET_BUTTON} href={path}>{t("Deactivate group")}</Link>;
  },
  shows: { user_group: ofSubject },
  load: loadGroup,
  forms: [save, savePermissions, ...memberForms, reactivate, ...impactForms(findImpact)],
  view: ({ data }) => {
    const { t, text } = useTexts(texts);
    const { name, description, deactivated } = data.group;
    return (
      <>
        <RefusalAlert refused={useRefusedForm()} isShown={data.canManage} />
        {deactivated && (
          <section class="mb-8 grid gap-3 border-y border-rule py-5">
            <p>{text.deactivatedNote}</p>
            {data.canManage && <Form of={reactivate} look={QUIET_BUTTON} />}
          </section>
        )}
        {!data.canManage && <p class="mb-6 border-y border-rule py-4">{text.notYours}</p>}
        {data.canManage && (
          <Panel title={t("Name and description")}>
            <Form of={save} stored={{ name, description }} />
          </Panel>
        )}
        <MemberSection of={members} shown={data.members} mayAdd={data.canAdd} mayRemove={data.canRemove} />
        <Subgroups data={data} />
        {data.canManage && (
          <PermissionSection
            permissions={data.permissions}
            pages={{ [toWhoCanPath("user_group", "can_manage_group", `@${name}`)]: t("Who can…?") }}
          />
        )}
        <section aria-labelledby="uses-title">
          <h2 id="uses-title" class="mb-3">{t("Used in")}</h2>
          <GroupUses uses={data.uses} />
        </section>
      </>
    );
  },
});

const deactivate = form({
  action: "deactivate",
  check: async (_, request) => {
    const uses = await listGroupUses(request, await getGroup(request));
    return uses.length === 0
      ? {}
      : { form: request.t("This group is in use. Change the settings below first.") };
  },
  run: async (request) => {
    const { id, name } = await getGroup(request);
    await deactivateGroup(request.chat, request.caller, id);
    const to = `/admin/groups/${id}`;
    const undo = { path: to, fields: { action: reactivate.action } };
    return { flash: request.t("Group {name} deactivated.", { name }), to, undo };
  },
});

/** The page that confirms deactivating a group, or lists the settings that use it and have to change first. */
export const deactivateGroupPage = adminPage({
  path: "/admin/groups/[id]/deactivate",
  load: async (request) => {
    const group = await getGroup(request);
    return { group, uses: await listGroupUses(request, group) };
  },
  title: ({ group: { name }, uses }, t) =>
    t(uses.length > 0 ? "{name} is in use" : "Deactivate {name}?", { name }),
  above: ({ group: { id, name } }) => [groupsPage, { path: `/admin/groups/${id}`, name }],
  shows: { user_group: ofSubject },
  forms: [deactivate],
  view: ({ data: { group, uses } }) => {
    const { t } = useTexts(null);
    const problem = useFormState(deactivate).problem("form");
    if (uses.length > 0) {
      return (
        <div class="max-w-[46rem]">
          <FormProblem problem={problem} margin="mb-4" />
          <p class="mb-5">{t("Before you can deactivate this group, remove it from these settings:")}</p>
          <GroupUses uses={uses} />
        </div>
      );
    }
    return (
      <Confirm action={deactivate.action} button={t("Deactivate group")} back={`/admin/groups/${group.id}`}>
        <p>{t("Nobody can mention it or choose it in settings.")}</p>
        <p>{t("Its members and its permissions are kept.")}</p>
        <p class="text-soft">{t("You can reactivate it at any time.")}</p>
      </Confirm>
    );
  },
});
