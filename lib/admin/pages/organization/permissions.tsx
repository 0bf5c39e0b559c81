import { mapValues } from "es-toolkit/object/mapValues";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { OrganizationNav, SectionLinks } from "@/components/admin/organization/OrganizationNav.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { SettingsSection } from "@/components/admin/organization/SettingsSection.tsx";
import { PeopleSearch } from "@/components/admin/people/PeopleSearch.tsx";
import { ImpactSection } from "@/components/admin/permissions/ImpactSection.tsx";
import { PermissionList } from "@/components/admin/permissions/PermissionPicker.tsx";
import { Link } from "@/components/Link.tsx";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { updateRealm } from "@/lib/chat/organization/organizations/update_realm.ts";
import { permissionRule, type PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { isOwner } from "@/lib/chat/organization/users/model.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { inOrganization } from "@/lib/admin/events/shown_events.ts";
import { impactForms } from "@/lib/admin/permissions/impact_preview.tsx";
import { findPermissionImpact } from "@/lib/admin/permissions/permission_impact.ts";
import {
  explainPermissions,
  loadPermissions,
  readPermissionFields,
  type ShownPermission,
} from "@/lib/admin/permissions/permission_values.ts";
import { organizationPage } from "./organization.tsx";
import { toChanges } from "./settings.tsx";

const PATH = "/admin/organization/permissions";

/** Permissions of each section, which has a form; the last one shows all others. */
const SECTIONS = {
  people: ["can_access_all_users_group", "can_invite_users_group", "create_multiuse_invite_group"],
  channels: [
    "can_create_public_channel_group",
    "can_create_private_channel_group",
    "can_create_web_public_channel_group",
    "can_add_subscribers_group",
  ],
  groups: ["can_create_groups", "can_manage_all_groups"],
  direct: ["direct_message_initiator_group", "direct_message_permission_group"],
  messages: [],
} satisfies Readonly<Record<string, readonly (keyof typeof PERMISSIONS.realm)[]>>;
const SECTION_NAMES = ["people", "channels", "groups", "direct", "messages"] as const;

const texts = {
  people: {
    title: "Users",
    help: "Who can see all users and invite new ones.",
    save: "Save user permissions",
  },
  channels: {
    title: "Channels",
    help: "Who can create channels and add subscribers.",
    save: "Save channel permissions",
  },
  groups: { title: "Groups", help: "Who can create and manage groups.", save: "Save group permissions" },
  direct: {
    title: "Direct messages",
    help: "Who can write to others outside channels.",
    save: "Save direct message permissions",
  },
  messages: {
    title: "Messages",
    help: "Who can move, delete and resolve in all channels. Channels can allow more people.",
    save: "Save message permissions",
  },
  lockedTitle: "Only owners can change these:",
  saved: "Permissions saved.",
  same: "No changes to save.",
};

/** Saves a section: each value is sent with the one that the form showed, so that a concurrent change is not undone. */
const save = form({
  action: "save",
  run: async (request, _, submitted) => {
    const { chat, caller, t } = request;
    const updates = await readPermissionFields(request, submitted, "realm");
    const section = SECTION_NAMES.find((name) => name === submitted.text("section")) ?? "people";
    const to = `${PATH}#${section}`;
    if (Object.keys(updates).length === 0) return { flash: t(texts.same), to };
    await explainPermissions(request, () => updateRealm(chat, caller, { ...toChanges({}), ...updates }));
    return { flash: t(texts.saved), to };
  },
});

const preview = impactForms(async (request, fields) =>
  await findPermissionImpact(
    request,
    { kind: "realm", owner: request.realm },
    await readPermissionFields(request, fields, "realm"),
  )
);

/** The page of the organization's permissions, in sections. */
export const realmPermissionsPage = adminPage({
  path: PATH,
  load: async (request) => {
    const permissions = await loadPermissions(request, { kind: "realm", owner: request.realm });
    const listed: readonly string[] = Object.values(SECTIONS).flat();
    const others = permissions.map(({ setting }) => setting).filter((setting) => !listed.includes(setting));
    const show = (names: readonly string[]) =>
      names.flatMap((name) => permissions.filter(({ setting }) => setting === name));
    return {
      organization: request.realm.name,
      isOwner: isOwner(request.user),
      sections: { ...mapValues(SECTIONS, show), messages: show(others) },
    };
  },
  title: "Permissions",
  lede: ({ organization }, t) =>
    t("Choose who can do what in {organization}. Channels and groups have their own permissions.", {
      organization,
    }),
  above: [organizationPage],
  actions: () => (
    <Link class={QUIET_BUTTON} href={`${PATH}/who`}>
      {useTexts(null).messages.permissions.explain.whoCan}
    </Link>
  ),
  shows: { realm: inOrganization(true) },
  forms: [save, ...preview],
  view: ({ data: { sections, isOwner } }) => {
    const { text } = useTexts(texts);
    const refused = useRefusedForm();
    const isLocked = ({ setting }: ShownPermission) =>
      permissionRule("realm", setting).isOwnerOnly === true && !isOwner;
    const isShown = SECTION_NAMES.some((name) =>
      refused?.typed["section"]?.at(-1) === name && !sections[name].every(isLocked)
    );
    return (
      <>
        <RefusalAlert refused={refused} isShown={isShown} />
        <OrganizationNav here="permissions" />
        <SectionLinks sections={SECTION_NAMES.map((id) => ({ id, title: text[id].title }))} />
        {SECTION_NAMES.map((name) => (
          <Section
            key={name}
            name={name}
            open={sections[name].filter((permission) => !isLocked(permission))}
            locked={sections[name].filter(isLocked)}
          />
        ))}
        <PeopleSearch />
      </>
    );
  },
});

interface SectionProps {
  readonly name: typeof SECTION_NAMES[number];
  readonly open: readonly ShownPermission[];
  /** Permissions that only owners may change. */
  readonly locked: readonly ShownPermission[];
}

function Section({ name, open, locked }: SectionProps) {
  const { text } = useTexts(texts);
  const state = useFormState(save, { section: name });
  return (
    <SettingsSection id={name} title={text[name].title} help={text[name].help}>
      {open.length > 0 && (
        <AdminForm
          state={state}
          button={text[name].save}
          hidden={{ section: name }}
          beside={<ImpactSection action={save.action} section={name} />}
        >
          <PermissionList state={state} permissions={open} />
        </AdminForm>
      )}
      {locked.length > 0 && (
        <div>
          <p class="pb-2 text-small font-medium text-soft">{text.lockedTitle}</p>
          <dl class="border-t border-rule">
            {locked.map(({ setting, label, holders }) => (
              <div
                key={setting}
                class="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-rule py-2.5 text-soft"
              >
                <dt class="min-w-0 flex-[1_1_14rem] font-medium">{label}</dt>
                <dd class="min-w-0 flex-[2_1_14rem] break-words">
                  <bdi>{holders}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </SettingsSection>
  );
}
