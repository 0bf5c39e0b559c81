import {
  CUSTOM,
  isSamePicked,
  permissionFields,
  type PickedPermission,
  readSeen,
} from "@/lib/admin/permission_form.ts";
import type { PermissionGroup, ShownPermission } from "@/lib/admin/permission_values.ts";
import { FIELD_HINT, FIELD_PROBLEM, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckList, TextArea } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

interface PermissionPickerProps {
  readonly state: FormState;
  readonly permission: ShownPermission;
}

/** One permission on one line, that opens to be changed: a role, a group, or groups and people one by one. */
export function PermissionPicker({ state, permission }: PermissionPickerProps) {
  const { words } = useAdmin();
  const { setting, label, help } = permission;
  const names = permissionFields(setting);
  const { shown, problem, isMended } = usePicked({ state, permission });
  const isOpen = problem !== undefined || isMended || state.problem(names.people) !== undefined;
  const problemId = `${setting}-problem`;
  const mine = kept(state, permission, shown);
  return (
    <details open={isOpen} class="group border-b border-rule">
      <summary class="flex min-h-11 cursor-pointer list-none flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5 [&::-webkit-details-marker]:hidden">
        <span class="min-w-0 flex-[1_1_14rem] font-medium">{label}</span>
        <span class="min-w-0 flex-[2_1_14rem] break-words text-soft">
          <bdi>{permission.words}</bdi>
        </span>
        <span aria-hidden="true" class="link text-small font-medium group-open:invisible max-sm:hidden">
          {words.permissions.change}
        </span>
      </summary>
      <div class="group/picker grid max-w-[34rem] gap-3 pt-1 pb-5">
        <input
          type="hidden"
          name={names.seen}
          value={JSON.stringify({ value: permission.value, picked: permission.picked })}
        />
        <p id={`${setting}-help`} class={FIELD_HINT}>{help}</p>
        <select
          id={setting}
          name={names.group}
          aria-label={`${label}: ${words.permissions.who}`}
          aria-describedby={problem === undefined ? `${setting}-help` : `${problemId} ${setting}-help`}
          aria-invalid={problem !== undefined}
          class={TEXT_FIELD}
        >
          <PickerOptions permission={permission} chosen={shown.group} />
        </select>
        {problem !== undefined && <p id={problemId} role="alert" class={FIELD_PROBLEM}>{problem}</p>}
        {permission.takesCustom && (
          <div class="hidden gap-4 group-has-[option[value=custom]:checked]/picker:grid">
            <CustomFields state={mine} permission={permission} shown={shown} />
          </div>
        )}
      </div>
    </details>
  );
}

function PickerOptions({ permission, chosen }: { permission: ShownPermission; chosen: string }) {
  const { words } = useAdmin();
  const toOption = ({ id, name }: PermissionGroup) => (
    <option key={id} value={String(id)} selected={String(id) === chosen}>{name}</option>
  );
  const isListed = chosen === CUSTOM ||
    [...permission.roles, ...permission.groups].some(({ id }) => String(id) === chosen);
  return (
    <>
      {!isListed && <option value={chosen} selected>{permission.words}</option>}
      <optgroup label={words.permissions.roles}>{permission.roles.map(toOption)}</optgroup>
      {permission.groups.length > 0 && (
        <optgroup label={words.permissions.groupsTitle}>{permission.groups.map(toOption)}</optgroup>
      )}
      {permission.takesCustom && (
        <option value={CUSTOM} selected={chosen === CUSTOM}>{words.permissions.custom}</option>
      )}
    </>
  );
}

interface CustomFieldsProps extends PermissionPickerProps {
  readonly shown: PickedPermission;
}

function CustomFields({ state, permission, shown }: CustomFieldsProps) {
  const { words } = useAdmin();
  const names = permissionFields(permission.setting);
  const choices = [...permission.roles.slice(1), ...permission.groups];
  return (
    <>
      <CheckList
        state={state}
        name={names.groups}
        label={words.permissions.groups}
        empty={words.permissions.noGroups}
        stored={shown.groups.map(String)}
        choices={choices.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <TextArea
        state={state}
        name={names.people}
        label={words.permissions.people}
        rows={Math.min(6, Math.max(2, shown.people.split("\n").length))}
        stored={shown.people}
        hint={permission.hasMoreGroups ? words.permissions.peopleHintGroups : words.permissions.peopleHint}
      />
    </>
  );
}

/**
 * What the fields hold: what was picked in a form that came back, unless that had left the permission as it was; and
 * whether somebody else changed meanwhile what was picked.
 */
function usePicked({ state, permission }: PermissionPickerProps) {
  const { words, speech } = useAdmin();
  const names = permissionFields(permission.setting);
  const seen = readSeen(state.value(names.seen, ""));
  if (seen === null) {
    return { shown: permission.picked, problem: state.problem(names.group), isMended: false };
  }
  const groups = [...permission.roles, ...permission.groups].map(({ id }) => id)
    .filter((id) => state.holds(names.groups, String(id), []));
  const typed = { group: state.value(names.group, ""), groups, people: state.value(names.people, "") };
  const isMended = !isSamePicked(typed, seen.picked);
  const isStale = isMended && !isSamePicked(seen.picked, permission.picked);
  const changed = speech.say(words.permissions.changedTo, { value: permission.words });
  return {
    shown: isMended ? typed : permission.picked,
    problem: state.problem(names.group) ?? (isStale ? changed : undefined),
    isMended,
  };
}

/** The form's state where the permission's own fields hold `shown`, whatever was typed before somebody changed it. */
function kept(state: FormState, permission: ShownPermission, shown: PickedPermission): FormState {
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

/** Permissions one below the other. */
export function PermissionList({ state, permissions }: PermissionListProps) {
  return (
    <div class="border-t border-rule">
      {permissions.map((permission) => (
        <PermissionPicker key={permission.setting} state={state} permission={permission} />
      ))}
    </div>
  );
}
