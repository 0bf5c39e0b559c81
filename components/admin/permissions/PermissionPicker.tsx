import {
  CUSTOM,
  isSamePicked,
  permissionFields,
  type PickedPermission,
  readWas,
} from "@/lib/ui/permission_fields.ts";
import type { PermissionGroup } from "@/lib/admin/permissions/group_names.ts";
import type { ShownPermission } from "@/lib/admin/permissions/permission_values.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckList } from "../fields.tsx";
import { PeopleField } from "../people/PeopleField.tsx";
import type { FormState } from "../form_state.ts";

interface PermissionPickerProps {
  readonly state: FormState;
  readonly permission: ShownPermission;
}

/** Labels of permissions that others than those of their value have, too. */
const ADDITIONAL = {
  realm: "Allowed",
  channel: "Additional people in this channel",
  user_group: "Additional people in this group",
};

/** Renders one permission as a line that expands: a role, a group, or a selection of groups and users. */
function PermissionPicker({ state, permission }: PermissionPickerProps) {
  const { t } = useAdmin();
  const { kind, setting, label, help, takesCustom } = permission;
  const { shown, problem, isMended } = useSelection({ state, permission });
  const mine = withSelection(state, permission, shown);
  return (
    <details open={problem !== undefined || isMended} class="group border-b border-rule">
      <summary class="flex min-h-11 cursor-pointer list-none flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5 [&::-webkit-details-marker]:hidden">
        <span class="min-w-0 flex-[1_1_14rem] font-medium">{label}</span>
        <EffectiveUsers parts={permission.effective} />
        <span aria-hidden="true" class="link text-small font-medium group-open:invisible">
          {t("Change")}
        </span>
      </summary>
      <div class="group/picker grid max-w-[34rem] gap-3 pt-1 pb-5">
        <OriginalFields permission={permission} />
        <p id={`${setting}-help`} class={FIELD_HINT}>{help}</p>
        <label class="grid gap-y-1.5">
          <span class={FIELD_LABEL}>
            {t(permission.isAdditional ? ADDITIONAL[kind] : "Allowed")}
            <span class="sr-only">: {label}</span>
          </span>
          <PickerSelect permission={permission} chosen={shown.group} problem={problem} />
        </label>
        {problem !== undefined && (
          <p id={`${setting}-problem`} role="alert" class={FIELD_PROBLEM}>{problem}</p>
        )}
        {takesCustom && (
          <div class="hidden gap-4 group-has-[option[value=custom]:checked]/picker:grid">
            <CustomFields state={mine} permission={permission} shown={shown} />
          </div>
        )}
      </div>
    </details>
  );
}

/** Renders who has a permission; a line for each place where that is decided. */
function EffectiveUsers({ parts }: { parts: ShownPermission["effective"] }) {
  return (
    <span class="grid min-w-0 flex-[2_1_12rem] text-soft">
      {parts.map(({ users, source }) => (
        <span key={users + source} class="break-words">
          <bdi class="text-ink">{users}</bdi>
          {source !== "" && <span class="text-small">{` · ${source}`}</span>}
        </span>
      ))}
    </span>
  );
}

function OriginalFields({ permission: { setting, picked } }: { permission: ShownPermission }) {
  const names = permissionFields(setting);
  return (
    <>
      <input type="hidden" name={names.wasGroup} value={picked.group} />
      <input type="hidden" name={names.wasGroups} value={picked.groups.join(",")} />
      <input type="hidden" name={names.wasPeople} value={picked.people} />
    </>
  );
}

interface PickerSelectProps {
  readonly permission: ShownPermission;
  readonly chosen: string;
  readonly problem: string | undefined;
}

function PickerSelect({ permission, chosen, problem }: PickerSelectProps) {
  const { t } = useAdmin();
  const { setting, roles, groups, takesCustom, holders } = permission;
  const help = `${setting}-help`;
  const toOption = ({ id, name }: PermissionGroup) => (
    <option key={id} value={String(id)} selected={String(id) === chosen}>{name}</option>
  );
  const isListed = chosen === CUSTOM || [...roles, ...groups].some(({ id }) => String(id) === chosen);
  return (
    <select
      id={setting}
      name={permissionFields(setting).group}
      aria-describedby={problem === undefined ? help : `${setting}-problem ${help}`}
      aria-invalid={problem !== undefined}
      class={TEXT_FIELD}
    >
      {!isListed && <option value={chosen} selected>{holders}</option>}
      <optgroup label={t("Roles")}>{roles.map(toOption)}</optgroup>
      {groups.length > 0 && <optgroup label={t("Groups")}>{groups.map(toOption)}</optgroup>}
      {takesCustom && (
        <option value={CUSTOM} selected={chosen === CUSTOM}>{t("Selected groups and people…")}</option>
      )}
    </select>
  );
}

interface CustomFieldsProps extends PermissionPickerProps {
  readonly shown: PickedPermission;
}

function CustomFields({ state, permission, shown }: CustomFieldsProps) {
  const { t } = useAdmin();
  const names = permissionFields(permission.setting);
  const isChosen = ({ id }: PermissionGroup) => permission.picked.groups.includes(id);
  const all = [...permission.groups, ...permission.roles.slice(1)];
  const choices = [...all.filter(isChosen), ...all.filter((group) => !isChosen(group))];
  return (
    <>
      <CheckList
        state={state}
        name={names.groups}
        label={t("Groups")}
        empty={t("There are no groups yet.")}
        stored={shown.groups.map(String)}
        choices={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <PeopleField
        state={state}
        name={names.people}
        label={t("People")}
        rows={Math.min(6, Math.max(2, shown.people.split("\n").length))}
        stored={shown.people}
        takesGroups
        hint={permission.hasMoreGroups
          ? t(
            "One on each line: a name, an email address or a user ID. For a group that is not listed, enter @ and its name.",
          )
          : undefined}
      />
    </>
  );
}

/**
 * Returns the values of the fields: those submitted, unless they left the permission unchanged; and whether
 * another user changed the submitted permission in the meantime.
 */
function useSelection({ state, permission }: PermissionPickerProps) {
  const { t } = useAdmin();
  const { setting } = permission;
  const names = permissionFields(setting);
  const was = readWas(setting, (name) => state.value(name, ""));
  if (was === null) {
    return { shown: permission.picked, problem: state.problem(names.group), isMended: false };
  }
  const groups = [...permission.roles, ...permission.groups].map(({ id }) => id)
    .filter((id) => state.holds(names.groups, String(id), []));
  const typed = { group: state.value(names.group, ""), groups, people: state.value(names.people, "") };
  const isMended = !isSamePicked(typed, was);
  const isStale = isMended && !isSamePicked(was, permission.picked);
  const changed = t(
    "Someone else changed this to “{value}” while you were editing. Save again to overwrite it.",
    { value: permission.holders },
  );
  return {
    shown: isMended ? typed : permission.picked,
    problem: state.problem(names.group) ?? (isStale ? changed : undefined),
    isMended,
  };
}

/** Returns a form state in which the permission's own fields hold `shown`, whatever was submitted. */
function withSelection(state: FormState, permission: ShownPermission, shown: PickedPermission): FormState {
  const names = permissionFields(permission.setting);
  return {
    ...state,
    value: (name, stored) => name === names.people ? shown.people : state.value(name, stored),
    holds: (name, value, stored) =>
      name === names.groups ? shown.groups.includes(Number(value)) : state.holds(name, value, stored),
  };
}

interface PermissionListProps {
  readonly state: FormState;
  readonly permissions: readonly ShownPermission[];
}

export function PermissionList({ state, permissions }: PermissionListProps) {
  return (
    <div class="border-t border-rule">
      {permissions.map((permission) => (
        <PermissionPicker key={permission.setting} state={state} permission={permission} />
      ))}
    </div>
  );
}

export function PermissionDetails({ state, permissions, hint }: PermissionListProps & { hint: string }) {
  const { t } = useAdmin();
  const isOpen = permissions.some(({ setting }) => state.value(permissionFields(setting).wasGroup) !== "") &&
    Object.keys(state.problems).some((name) => permissions.some(({ setting }) => name.startsWith(setting)));
  return (
    <details open={isOpen} class="border-t border-rule pt-3">
      <summary class="min-h-11 cursor-pointer py-2">
        <span class="ms-1 font-strong">{t("Permissions")}</span>
        <span class="mt-1 block text-small text-soft">{hint}</span>
      </summary>
      <div class="mt-3">
        <PermissionList state={state} permissions={permissions} />
      </div>
    </details>
  );
}
