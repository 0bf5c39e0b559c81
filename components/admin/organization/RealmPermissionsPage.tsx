import type { AdminPageData, RefusedForm } from "@/lib/admin/admin_page.ts";
import type {
  PermissionSection,
  RealmPermission,
  RealmPermissionsData,
} from "@/lib/admin/organization/realm_permissions_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { formState } from "../form_state.ts";
import { PeopleSearch } from "../people/PeopleSearch.tsx";
import { ImpactSection, toEditedForm } from "../permissions/ImpactSection.tsx";
import { PermissionList } from "../permissions/PermissionPicker.tsx";
import { OrganizationNav, SectionLinks } from "./OrganizationNav.tsx";
import { RefusalAlert } from "./RefusalAlert.tsx";
import { SettingsSection } from "./SettingsSection.tsx";

const SECTIONS: readonly PermissionSection[] = ["people", "channels", "groups", "messages"];

/** Renders the organization's permissions in sections. */
export function RealmPermissionsPage({ data, refused }: AdminPageData<RealmPermissionsData>) {
  const { messages, formatter, realm } = useAdmin();
  const text = messages.organization;
  const forms: readonly string[] = SECTIONS.filter((section) =>
    data.sections[section].some(({ isLocked }) => !isLocked)
  );
  return (
    <>
      <AdminHeading
        title={text.permissions}
        lede={formatter.t(text.permissionsLede, { organization: realm.name })}
        above={[{ path: "/admin/organization", name: text.title }]}
      />
      <RefusalAlert refused={refused} isShown={forms.includes(refused?.typed["section"]?.at(-1) ?? "")} />
      <OrganizationNav here="permissions" />
      <SectionLinks sections={SECTIONS.map((id) => ({ id, title: text.permissionSections[id].title }))} />
      {SECTIONS.map((section) => (
        <Section key={section} section={section} permissions={data.sections[section]} refused={refused} />
      ))}
      <PeopleSearch />
    </>
  );
}

interface SectionProps {
  readonly section: PermissionSection;
  readonly permissions: readonly RealmPermission[];
  readonly refused: RefusedForm | null;
}

function Section({ section, permissions, refused }: SectionProps) {
  const { messages } = useAdmin();
  const { title, help } = messages.organization.permissionSections[section];
  const open = permissions.filter(({ isLocked }) => !isLocked).map(({ permission }) => permission);
  const locked = permissions.filter(({ isLocked }) => isLocked);
  const state = formState(toEditedForm(refused), "save", { section });
  return (
    <SettingsSection id={section} title={title} help={help}>
      {open.length > 0 && (
        <AdminForm
          state={state}
          button={messages.organization.savePermissions[section]}
          hidden={{ section }}
          beside={<ImpactSection action="save" refused={refused} match={{ section }} />}
        >
          <PermissionList state={state} permissions={open} />
        </AdminForm>
      )}
      {locked.length > 0 && <LockedList permissions={locked} />}
    </SettingsSection>
  );
}

/** Lists the permissions that only owners may change: who holds each, and why it is locked. */
function LockedList({ permissions }: { permissions: readonly RealmPermission[] }) {
  const { messages } = useAdmin();
  return (
    <div>
      <p class="pb-2 text-small font-medium text-soft">{messages.organization.lockedTitle}</p>
      <dl class="border-t border-rule">
        {permissions.map(({ permission }) => (
          <div
            key={permission.setting}
            class="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 border-b border-rule py-2.5 text-soft"
          >
            <dt class="min-w-0 flex-[1_1_14rem] font-medium">{permission.label}</dt>
            <dd class="min-w-0 flex-[2_1_14rem] break-words">
              <bdi>{permission.messages}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
