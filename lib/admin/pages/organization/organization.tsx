import { useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { adminPage } from "../../declare/page.tsx";
import { always, inOrganization } from "../../events/shown_events.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { CharacterCountHint } from "@/components/admin/CharacterCountHint.tsx";
import { TextArea, TextInput } from "@/components/admin/fields.tsx";
import { JoiningSection } from "@/components/admin/organization/JoiningSection.tsx";
import { MessagesSection } from "@/components/admin/organization/MessagesSection.tsx";
import { OrganizationNav, SectionLinks } from "@/components/admin/organization/OrganizationNav.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { SettingFlags } from "@/components/admin/organization/SettingFlags.tsx";
import { SettingsSection } from "@/components/admin/organization/SettingsSection.tsx";
import { WelcomeSection } from "@/components/admin/organization/WelcomeSection.tsx";
import { Link } from "@/components/Link.tsx";
import { addDomain, updateDomain } from "@/lib/chat/organizations/edit_domains.ts";
import { updateRealm } from "@/lib/chat/organizations/update_realm.ts";
import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import type { AdminAction } from "../../admin_page.ts";
import { loadOrganization, type OrganizationData } from "../../organization/organization_data.ts";
import {
  mapSections,
  readSection,
  readWelcome,
  REALM_FIELDS,
  type RealmSection,
  sectionValues,
} from "../../organization/realm_sections.ts";
import { requireRevision } from "../../revision.ts";

/** Position of the domains on the page. */
const DOMAINS = "/admin/organization#domains";
const FORMS: readonly string[] = ["profile", "welcome", "preview", "accounts", "messages", "visitors"];
const OWNERS_FORMS: readonly string[] = ["joining", "add_domain"];
const SECTIONS = [
  "profile",
  "joining",
  "domains",
  "welcome",
  "accounts",
  "messages",
  "visitors",
  "closing",
] as const;

interface SettingsProps {
  readonly data: OrganizationData;
}

/** Form of a page that reads its fields itself. */
type RawForm = AdminAction & { readonly action: string };

function sectionForm(section: RealmSection): RawForm {
  return {
    action: section,
    run: async (request, fields) => {
      const { chat, realm, caller, messages } = request;
      requireRevision(request, fields, sectionValues(realm, section));
      const changes = readSection(request, fields, section);
      await updateRealm(chat, caller, changes);
      return { flash: messages.organization.saved, to: `/admin/organization#${section}` };
    },
    fields: REALM_FIELDS,
  };
}

/** Previews the welcome message; stores nothing. */
const preview: RawForm = {
  action: "preview",
  run: async (request, fields) => {
    const { chat, realm, user } = request;
    const text = readWelcome(request, fields);
    const html = text.trim() === "" ? "" : (await prepareContent(chat, { realm, author: user }, text)).html;
    return { flash: "", isDraft: true, result: { html } };
  },
  fieldOf: () => "welcome_message_custom_text",
};

const addAllowedDomain: RawForm = {
  action: "add_domain",
  run: async ({ chat, caller, messages, t }, fields) => {
    const domain = fields.exact("domain").trim();
    await addDomain(chat, caller, { domain, allow_subdomains: fields.flag("allow_subdomains") });
    return { flash: t(messages.organization.domainAdded, { name: domain }), to: DOMAINS };
  },
  fieldOf: ({ code }) => code === "BAD_REQUEST" ? "domain" : null,
};

/** Decides whether subdomains of a domain are allowed. */
const changeDomain: RawForm = {
  action: "change_domain",
  run: async ({ chat, caller, messages, t }, fields) => {
    const domain = fields.exact("name");
    await updateDomain(chat, caller, { domain, allow_subdomains: fields.text("allow") === "true" });
    return { flash: t(messages.organization.domainChanged, { name: domain }), to: DOMAINS };
  },
};

/** The organization's settings: sections with a form each, and the domains. */
export const organizationPage = adminPage({
  path: "/admin/organization",
  load: loadOrganization,
  title: "Organization",
  lede: ({ name }, t, { organization }) => t(organization.lede, { organization: name }),
  shows: { realm: inOrganization(false), realm_domains: always },
  forms: [...Object.values(mapSections(sectionForm)), preview, addAllowedDomain, changeDomain],
  view: ({ data }) => {
    const text = useAdmin().messages.organization;
    const refused = useRefusedForm();
    const forms = data.isOwner ? [...FORMS, ...OWNERS_FORMS] : FORMS;
    return (
      <>
        <RefusalAlert refused={refused} isShown={forms.includes(refused?.action ?? "")} />
        <OrganizationNav here="settings" />
        <SectionLinks sections={SECTIONS.map((id) => ({ id, title: text[id] }))} />
        <ProfileSection data={data} />
        <JoiningSection data={data} refused={refused} />
        <WelcomeSection data={data} refused={refused} />
        <AccountsSection data={data} />
        <MessagesSection data={data} refused={refused} />
        <VisitorsSection data={data} />
        <ClosingSection isOwner={data.isOwner} />
      </>
    );
  },
});

function ProfileSection({ data }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = useFormState({ action: "profile" });
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

function AccountsSection({ data }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = useFormState({ action: "accounts" });
  return (
    <SettingsSection id="accounts" title={text.accounts} help={text.accountsHelp}>
      <AdminForm state={state} button={text.saves.accounts} hidden={{ seen: data.seen.accounts }}>
        <SettingFlags section="accounts" data={data} state={state} />
      </AdminForm>
    </SettingsSection>
  );
}

function VisitorsSection({ data }: SettingsProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = useFormState({ action: "visitors" });
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
