import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OrganizationData } from "@/lib/admin/organization/organization_page.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { TextArea, TextInput } from "../fields.tsx";
import { formState } from "../form_state.ts";
import { CharacterCountHint } from "../CharacterCountHint.tsx";
import { JoiningSection } from "./JoiningSection.tsx";
import { MessagesSection } from "./MessagesSection.tsx";
import { OrganizationNav, SectionLinks } from "./OrganizationNav.tsx";
import { RefusalAlert } from "./RefusalAlert.tsx";
import { SettingFlags } from "./SettingFlags.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { WelcomeSection } from "./WelcomeSection.tsx";
import { Link } from "../../Link.tsx";

/** Props of a section of the settings. */
export type SettingsProps = AdminPageData<OrganizationData>;

const FORMS: readonly string[] = ["profile", "welcome", "preview", "accounts", "messages", "visitors"];
const OWNERS_FORMS: readonly string[] = ["joining", "add_domain"];

/** Renders the organization's settings in sections. */
export function OrganizationPage(props: SettingsProps) {
  const { messages, formatter, realm } = useAdmin();
  const text = messages.organization;
  const { data: { isOwner }, refused } = props;
  const forms = isOwner ? [...FORMS, ...OWNERS_FORMS] : FORMS;
  const sections = [
    "profile",
    "joining",
    "domains",
    "welcome",
    "accounts",
    "messages",
    "visitors",
    "closing",
  ] as const;
  return (
    <>
      <AdminHeading title={text.title} lede={formatter.t(text.lede, { organization: realm.name })} />
      <RefusalAlert refused={refused} isShown={forms.includes(refused?.action ?? "")} />
      <OrganizationNav here="settings" />
      <SectionLinks sections={sections.map((id) => ({ id, title: text[id] }))} />
      <ProfileSection {...props} />
      <JoiningSection {...props} />
      <WelcomeSection {...props} />
      <AccountsSection {...props} />
      <MessagesSection {...props} />
      <VisitorsSection {...props} />
      <ClosingSection isOwner={isOwner} />
    </>
  );
}

function ProfileSection({ data, refused }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "profile");
  return (
    <SettingsSection id="profile" title={text.profile} help={text.profileHelp}>
      <AdminForm state={state} button={text.saves.profile} hidden={{ seen: data.seen.profile }}>
        <TextInput
          state={state}
          name="name"
          label={messages.common.name}
          stored={data.name}
          hint={<CharacterCountHint text={text.nameHint} fieldId="name" limit={data.limits.name} />}
        />
        <TextArea
          state={state}
          name="description"
          label={messages.common.description}
          stored={data.description}
          rows={4}
          hint={
            <CharacterCountHint
              text={text.descriptionHint}
              fieldId="description"
              limit={data.limits.description}
            />
          }
        />
      </AdminForm>
    </SettingsSection>
  );
}

function AccountsSection({ data, refused }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "accounts");
  return (
    <SettingsSection id="accounts" title={text.accounts} help={text.accountsHelp}>
      <AdminForm state={state} button={text.saves.accounts} hidden={{ seen: data.seen.accounts }}>
        <SettingFlags section="accounts" data={data} state={state} />
      </AdminForm>
    </SettingsSection>
  );
}

function VisitorsSection({ data, refused }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "visitors");
  return (
    <SettingsSection id="visitors" title={text.visitors} help={text.visitorsHelp}>
      {!data.isWebAllowed && <p class="rounded-control bg-wash px-4 py-2.5">{text.spectatorsForbidden}</p>}
      <AdminForm state={state} button={text.saves.visitors} hidden={{ seen: data.seen.visitors }}>
        <SettingFlags section="visitors" data={data} state={state} />
      </AdminForm>
    </SettingsSection>
  );
}

function ClosingSection({ isOwner }: { isOwner: boolean }) {
  const { messages } = useAdmin();
  const text = messages.organization;
  return (
    <SettingsSection id="closing" title={text.closing} help={text.closingHelp}>
      <div class="grid gap-2">
        <p>{text.closingText}</p>
        {isOwner
          ? (
            <Link
              class="link inline-flex min-h-9 items-center justify-self-start font-medium text-accent"
              href="/admin/organization/deactivate"
            >
              {text.closingLink}
            </Link>
          )
          : <p class="text-small font-medium text-soft">{text.closingOwners}</p>}
      </div>
    </SettingsSection>
  );
}
