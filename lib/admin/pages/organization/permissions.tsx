import { partition } from "es-toolkit/array/partition";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { FactList } from "@/components/admin/FactList.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { OrganizationNav, SectionLinks } from "@/components/admin/organization/OrganizationNav.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { SettingsSection } from "@/components/admin/organization/SettingsSection.tsx";
import { PeopleSearch } from "@/components/admin/people/PeopleSearch.tsx";
import { ImpactSection } from "@/components/admin/permissions/ImpactSection.tsx";
import { PermissionList } from "@/components/admin/permissions/PermissionPicker.tsx";
import { Link } from "@/components/Link.tsx";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { updateRealm } from "@/lib/chat/organization/organizations/update_realm.ts";
import { permissionRule, type PERMISSIONS } from "@/lib/chat/organization/permissions/model/registry.ts";
import { isOwner, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
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

interface SectionSpec extends Readonly<Record<"title" | "help" | "button", Phrase>> {
  readonly settings: readonly (keyof typeof PERMISSIONS.realm)[];
}

/** Sections, each of which has a form for some permissions; the last one has all others. */
const SECTIONS: Readonly<Record<string, SectionSpec>> = {
  people: {
    title: "Users",
    help: "Who can see all users and invite new ones.",
    button: "Save user permissions",
    settings: ["can_access_all_users_group", "can_invite_users_group", "create_multiuse_invite_group"],
  },
  channels: {
    title: "Channels",
    help: "Who can create channels and add subscribers.",
    button: "Save channel permissions",
    settings: [
      "can_create_public_channel_group",
      "can_create_private_channel_group",
      "can_create_web_public_channel_group",
      "can_add_subscribers_group",
    ],
  },
  groups: {
    title: "Groups",
    help: "Who can create and manage groups.",
    button: "Save group permissions",
    settings: ["can_create_groups", "can_manage_all_groups"],
  },
  direct: {
    title: "Direct messages",
    help: "Who can write to others outside channels.",
    button: "Save direct message permissions",
    settings: ["direct_message_initiator_group", "direct_message_permission_group"],
  },
  messages: {
    title: "Messages",
    help: "Who can move, delete and resolve in all channels. Channels can allow more users.",
    button: "Save message permissions",
    settings: [],
  },
};

/** Saves a section: each value is sent with the one that the form showed, so that a concurrent change is not undone. */
const save = form({
  action: "save",
  run: async (request, _, submitted) => {
    const { chat, caller, t } = request;
    const updates = await readPermissionFields(request, submitted, "realm");
    const section = submitted.text("section");
    const to = `${PATH}#${Object.hasOwn(SECTIONS, section) ? section : "people"}`;
    if (Object.keys(updates).length === 0) return { flash: t("No changes to save."), to };
    await explainPermissions(request, () => updateRealm(chat, caller, { ...toChanges({}), ...updates }));
    return { flash: t("Permissions saved."), to };
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
  find: { words: "roles access members guests moderators" },
  load: async (request) => {
    const permissions = await loadPermissions(request, { kind: "realm", owner: request.realm });
    const sections = Object.entries(SECTIONS);
    const listed: readonly string[] = sections.flatMap(([, { settings }]) => settings);
    const others = permissions.map(({ setting }) => setting).filter((setting) => !listed.includes(setting));
    return {
      organization: request.realm.name,
      sections: sections.map(([name, { settings, ...texts }]) => ({
        name,
        ...texts,
        permissions: (settings.length === 0 ? others : settings)
          .flatMap((wanted) => permissions.filter(({ setting }) => setting === wanted)),
      })),
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
      {useAdmin().t("Who can…?")}
    </Link>
  ),
  shows: { realm: inOrganization(true) },
  forms: [save, ...preview],
  view: ({ data: { sections } }) => {
    const { t, user } = useAdmin();
    const refused = useRefusedForm();
    const isShown = sections.some(({ name, permissions }) =>
      refused?.typed["section"]?.at(-1) === name && permissions.some((permission) => isOpen(user, permission))
    );
    return (
      <>
        <RefusalAlert refused={refused} isShown={isShown} />
        <OrganizationNav here={PATH} />
        <SectionLinks sections={sections.map(({ name, title }) => ({ id: name, title: t(title) }))} />
        {sections.map((section) => <Section key={section.name} section={section} />)}
        <PeopleSearch />
      </>
    );
  },
});

/** Whether a user may change a permission, which may be for owners only. */
function isOpen(user: UserRecord, { setting }: ShownPermission): boolean {
  return permissionRule("realm", setting).isOwnerOnly !== true || isOwner(user);
}

interface SectionProps {
  readonly section: Omit<SectionSpec, "settings"> & {
    readonly name: string;
    readonly permissions: readonly ShownPermission[];
  };
}

function Section({ section: { name, title, help, button, permissions } }: SectionProps) {
  const { t, user } = useAdmin();
  const state = useFormState(save, { section: name });
  const [open, locked] = partition(permissions, (permission) => isOpen(user, permission));
  return (
    <SettingsSection id={name} title={t(title)} help={t(help)}>
      {open.length > 0 && (
        <AdminForm
          state={state}
          button={t(button)}
          look={QUIET_BUTTON}
          hidden={{ section: name }}
          beside={<ImpactSection action={save.action} section={name} />}
        >
          <PermissionList state={state} permissions={open} />
        </AdminForm>
      )}
      {locked.length > 0 && (
        <div>
          <p class="pb-2 text-small font-medium text-soft">{t("Only owners can change these:")}</p>
          <FactList facts={locked.map(({ label, holders }) => [label, holders])} />
        </div>
      )}
    </SettingsSection>
  );
}
