import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { FormProblem } from "@/components/admin/FormProblem.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { Panel } from "@/components/admin/Panel.tsx";
import { PermissionSection } from "@/components/admin/permissions/PermissionSection.tsx";
import { Link } from "@/components/Link.tsx";
import { findGrant } from "@/lib/chat/organization/permissions/model/grants.ts";
import { deactivateGroup, updateGroup } from "@/lib/chat/organization/user_groups/change_group.ts";
import {
  type GroupPermission,
  listGroupGrants,
  requireSubgroups,
  withMembers,
  withoutMembers,
  withSubgroups,
} from "@/lib/chat/organization/user_groups/model/rules.ts";
import { AppError } from "@/lib/core/errors.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import { type AdminRequest, pathId } from "@/lib/admin/admin_request.ts";
import { Confirm } from "@/lib/admin/declare/confirm.tsx";
import { Form, form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { ofSubject } from "@/lib/admin/events/shown_events.ts";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { listGroupChoices, nameOfGroup } from "@/lib/admin/permissions/group_names.ts";
import { impactForms } from "@/lib/admin/permissions/impact_preview.tsx";
import { findGroupImpact, findPermissionImpact } from "@/lib/admin/permissions/permission_impact.ts";
import {
  explainPermissions,
  loadPermissions,
  readPermissionFields,
} from "@/lib/admin/permissions/permission_values.ts";
import { countMembers } from "./group_counts.ts";
import {
  CHOOSE_GROUP,
  GroupMembers,
  memberForms,
  readAdded,
  readMembersPage,
  readRemoved,
  Subgroups,
} from "./group_members.tsx";
import { realmPermissionsPage } from "../organization/permissions.tsx";
import { toWhoCanPath } from "../organization/who_can.tsx";
import { GroupUses, listGroupUses } from "./group_uses.tsx";
import { groupsPage } from "./groups.tsx";
import { groupFields } from "./new_group.tsx";

const SHOWN = { user_group: ofSubject };

const texts = {
  memberCount: { one: "{count} member", other: "{count} members" },
  deactivatedNote:
    "This group is deactivated. Nobody can mention it or use it in new settings. Its members are kept.",
  notYours:
    "You can view this group, but you do not have permission to change all of it. Ask someone who can manage it.",
  deactivateTexts: {
    mention: "Nobody can mention it or choose it in settings.",
    members: "Its members and its permissions are kept.",
    back: "You can reactivate it at any time.",
  },
};

async function loadGroup(request: AdminRequest) {
  const permissions = await request.readPermissions();
  const group = permissions.groups.get(pathId(request));
  if (group === undefined) return null;
  const [counts, members, uses, shown] = await Promise.all([
    countMembers(request, permissions, [group]),
    readMembersPage(request, group),
    listGroupUses(request, permissions, group.id),
    loadPermissions(request, { kind: "user_group", owner: group }),
  ]);
  const may = (setting: GroupPermission) =>
    findGrant(
      permissions,
      { kind: "user_group", owner: group, grants: listGroupGrants(setting) },
      request.user,
    ) !==
      null;
  const inside = group.subgroups.map((id) => ({
    id,
    name: nameOfGroup(request, permissions, id),
    // Roles have no page.
    path: permissions.groups.has(id) ? `/admin/groups/${id}` : null,
  }));
  return {
    ...{ group, counts: counts.get(group.id) ?? { direct: 0, all: 0 }, members, uses, inside },
    canManage: may("can_manage_group"),
    canAdd: may("can_add_members_group"),
    canRemove: may("can_remove_members_group"),
    id: group.id,
    permissions: shown,
    choices: listGroupChoices(request, permissions, { except: [group.id, ...group.subgroups] }),
  };
}

/** Calculates the effect of one of the forms of a group's page, which its field `edit` names. */
async function findImpact(request: AdminRequest, fields: FormFields) {
  const permissions = await request.readPermissions();
  const group = permissions.groups.get(pathId(request));
  if (group === undefined) throw new AppError("NOT_FOUND", request.messages.common.gone);
  switch (fields.text("edit")) {
    case "add_people":
      return await findGroupImpact(request, withMembers(group, (await readAdded(request, fields)).ids));
    case "remove_people":
      return await findGroupImpact(request, withoutMembers(group, (await readRemoved(request, fields)).ids));
    case "add_group": {
      const id = fields.int("group");
      if (id === null) throw new FormRefusal({ group: request.t(CHOOSE_GROUP) });
      requireSubgroups(permissions, [id]);
      return await findGroupImpact(request, withSubgroups(group, [id], permissions));
    }
    default: {
      const updates = await readPermissionFields(request, fields, "user_group");
      return await findPermissionImpact(request, { kind: "user_group", owner: group }, updates);
    }
  }
}

type GroupChanges = Parameters<typeof updateGroup>[2]["changes"];

async function change(request: AdminRequest, changes: Partial<GroupChanges>): Promise<void> {
  const unchanged = { name: undefined, description: undefined, deactivated: undefined, permissions: {} };
  const groupId = pathId(request);
  await updateGroup(request.chat, request.caller, { groupId, changes: { ...unchanged, ...changes } });
}

async function currentName(request: AdminRequest): Promise<string> {
  return nameOfGroup(
    request,
    await request.readPermissions(),
    pathId(request),
  );
}

async function readTexts({ ctx, readPermissions }: AdminRequest) {
  const group = (await readPermissions()).groups.get(
    pathId({ ctx }),
  );
  return group === undefined ? null : { name: group.name, description: group.description };
}

const save = form({
  action: "save",
  button: "Save",
  fields: groupFields,
  stored: readTexts,
  run: async (request, values) => {
    const stored = await readTexts(request);
    // Blanks around an older name stay until the name is changed.
    const name = values.name === stored?.name.trim() ? stored.name : values.name;
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
    return { flash: request.t("Permissions of {name} saved.", { name: await currentName(request) }) };
  },
});

const reactivate = form({
  action: "reactivate",
  button: "Reactivate group",
  run: async (request) => {
    await change(request, { deactivated: false });
    return { flash: request.t("Group {name} reactivated.", { name: await currentName(request) }) };
  },
});

/** The page of a group: name, members, permissions and uses. */
export const groupPage = adminPage({
  path: "/admin/groups/[id]",
  title: ({ group }) => group.name,
  lede: ({ counts, inside }, t) => {
    const direct = t(texts.memberCount, { count: counts.direct });
    return inside.length === 0
      ? direct
      : t("{direct} · {all} including subgroups", { direct, all: counts.all });
  },
  above: [groupsPage],
  actions: ({ data: { group } }) => {
    const { t, opens } = useTexts(texts);
    const path = `/admin/groups/${group.id}/deactivate`;
    if (group.deactivated || !opens(path)) return null;
    return <Link class={QUIET_BUTTON} href={path}>{t("Deactivate group")}</Link>;
  },
  shows: SHOWN,
  load: loadGroup,
  forms: [save, savePermissions, ...memberForms, reactivate, ...impactForms(findImpact)],
  view: ({ data }) => {
    const { t, text, messages, opens } = useTexts(texts);
    const { name, description, deactivated } = data.group;
    return (
      <>
        <RefusalAlert refused={useRefusedForm()} isShown={data.canManage} />
        {deactivated && (
          <section class="mb-8 grid gap-3 border-y border-rule py-5">
            <p>{text.deactivatedNote}</p>
            {data.canManage && <Form of={reactivate} />}
          </section>
        )}
        {!data.canManage && <p class="mb-6 border-y border-rule py-4">{text.notYours}</p>}
        {data.canManage && (
          <Panel title={t("Name and description")}>
            <Form of={save} stored={{ name, description }} />
          </Panel>
        )}
        <GroupMembers data={data} />
        <Subgroups data={data} />
        {data.canManage && (
          <PermissionSection
            permissions={data.permissions}
            about={opens(realmPermissionsPage.path) && (
              <Link
                class="link inline-flex min-h-11 items-center text-small"
                href={toWhoCanPath("user_group", "can_manage_group", `@${name}`)}
              >
                {messages.permissions.explain.whoCan}
              </Link>
            )}
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
  button: "Deactivate group",
  run: async (request) => {
    const id = pathId(request);
    try {
      await deactivateGroup(request.chat, request.caller, id);
    } catch (error) {
      const isUsed = error instanceof AppError && error.code === "CANNOT_DEACTIVATE_GROUP_IN_USE";
      throw isUsed
        ? new FormRefusal({ form: request.t("This group is in use. Change the settings below first.") })
        : error;
    }
    const to = `/admin/groups/${id}`;
    const undo = { path: to, fields: { action: reactivate.action } };
    return { flash: request.t("Group {name} deactivated.", { name: await currentName(request) }), to, undo };
  },
});

/** The page that confirms deactivating a group, or lists the settings that use it and have to change first. */
export const deactivateGroupPage = adminPage({
  path: "/admin/groups/[id]/deactivate",
  title: ({ group: { name }, uses }, t) =>
    t(uses.length > 0 ? "{name} is in use" : "Deactivate {name}?", { name }),
  above: ({ group: { id, name } }) => [groupsPage, { path: `/admin/groups/${id}`, name }],
  shows: SHOWN,
  load: loadGroup,
  forms: [deactivate],
  view: ({ data: { group, uses } }) => {
    const { t, text } = useTexts(texts);
    const state = useFormState(deactivate);
    const { mention, members, back } = text.deactivateTexts;
    if (uses.length > 0) {
      return (
        <div class="max-w-[46rem]">
          <FormProblem problem={state.problem("form")} margin="mb-4" />
          <p class="mb-5">{t("Before you can deactivate this group, remove it from these settings:")}</p>
          <GroupUses uses={uses} />
        </div>
      );
    }
    return (
      <Confirm action={deactivate.action} button={t("Deactivate group")} back={`/admin/groups/${group.id}`}>
        <p>{mention}</p>
        <p>{members}</p>
        <p class="text-soft">{back}</p>
      </Confirm>
    );
  },
});
