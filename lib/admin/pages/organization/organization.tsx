import type { ComponentChildren } from "preact";
import { ActionButton, ActionLabel, ActionLink } from "@/components/admin/ActionButton.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { RadioField } from "@/components/admin/fields.tsx";
import {
  type FormState,
  formState,
  useDraft,
  useFormState,
  useRefusedForm,
} from "@/components/admin/form_state.ts";
import { OrganizationNav, SectionLinks } from "@/components/admin/organization/OrganizationNav.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { OwnersOnlyHint, SettingsSection } from "@/components/admin/organization/SettingsSection.tsx";
import { Link } from "@/components/Link.tsx";
import FormPreview from "@/islands/admin/FormPreview.tsx";
import { addDomain, updateDomain } from "@/lib/chat/organization/organizations/edit_domains.ts";
import { getLinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import type { EmailConfirmation } from "@/lib/chat/organization/organizations/settings.ts";
import { isOwner } from "@/lib/chat/organization/users/model.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { flag, text as textField } from "@/lib/admin/declare/fields.tsx";
import { type FieldOptions, Form, form, type Values } from "@/lib/admin/declare/form.tsx";
import { Table } from "@/components/admin/Table.tsx";
import { adminPage, useTexts } from "@/lib/admin/declare/page.tsx";
import { always, inOrganization } from "@/lib/admin/events/shown_events.ts";
import { REVISION_FIELD } from "@/lib/admin/revision.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import {
  ANNOUNCEMENTS,
  CONFIRMATION,
  previewWelcome,
  SECTION_FORMS,
  toStored,
  WELCOME,
  WELCOME_PREVIEW,
} from "./settings.tsx";

/** Position of the domains on the page. */
const DOMAINS = "/admin/organization#domains";
/** Sections of the page, and whether only owners can change them. */
const SECTIONS = {
  profile: false,
  joining: true,
  domains: true,
  welcome: false,
  accounts: false,
  messages: false,
  visitors: false,
  closing: true,
} as const;
export const SECTION_IDS = Object.keys(SECTIONS).filter(isSection);
const CONFIRMATIONS = ["automatic", "required", "not_required"] as const;

function isSection(id: string): id is keyof typeof SECTIONS {
  return Object.hasOwn(SECTIONS, id);
}

type OrganizationData = Awaited<ReturnType<typeof loadOrganization>>;

async function loadOrganization(request: AdminRequest) {
  const { chat, realm, user } = request;
  const joiningWith = (email_confirmation: EmailConfirmation) =>
    getLinkJoining(chat, { ...realm, settings: { ...realm.settings, email_confirmation } });
  return {
    realm,
    isOwner: isOwner(user),
    /** Ways in which people would join by a reusable link now, by each choice of the confirmation of addresses. */
    linkJoining: CONFIRMATIONS.map((choice) => [choice, joiningWith(choice)] as const),
    channels: await listShownChannels(request),
    isWebAllowed: chat.config.webPublicStreamsEnabled,
  };
}

const addAllowedDomain = form({
  action: "add_domain",
  button: "Add domain",
  fields: {
    domain: textField({ label: "Domain", hint: "For example, example.com.", isExact: true }),
    allow_subdomains: flag({ label: "Include subdomains" }),
  },
  refusedAt: "domain",
  run: async ({ chat, caller, messages, t }, values) => {
    await addDomain(chat, caller, values);
    return { flash: t(messages.organization.domainAdded, { name: values.domain }), to: DOMAINS };
  },
});

/** Decides whether subdomains of a domain are allowed. */
const changeDomain = form({
  action: "change_domain",
  run: async ({ chat, caller, messages, t }, _, submitted) => {
    const domain = submitted.exact("name");
    await updateDomain(chat, caller, { domain, allow_subdomains: submitted.text("allow") === "true" });
    return { flash: t(messages.organization.domainChanged, { name: domain }), to: DOMAINS };
  },
});

/** The organization's settings: sections with a form each, and the domains. */
export const organizationPage = adminPage({
  path: "/admin/organization",
  load: loadOrganization,
  title: "Organization",
  lede: ({ realm }, t, { organization }) => t(organization.lede, { organization: realm.name }),
  shows: { realm: inOrganization(false), realm_domains: always },
  forms: [...Object.values(SECTION_FORMS), previewWelcome, addAllowedDomain, changeDomain],
  view: ({ data }) => {
    const { messages: { organization: text } } = useTexts(null);
    const refused = useRefusedForm();
    const shown = SECTION_IDS.filter((id) => data.isOwner || !SECTIONS[id]);
    const isShown = [...shown, "preview", ...(data.isOwner ? [addAllowedDomain.action] : [])]
      .some((action) => action === refused?.action);
    return (
      <>
        <RefusalAlert refused={refused} isShown={isShown} />
        <OrganizationNav here="settings" />
        <SectionLinks sections={SECTION_IDS.map((id) => ({ id, title: text[id] }))} />
        <Section id="profile" data={data} />
        <Section id="joining" data={data}>
          {(state) => <ConfirmationChoice data={data} state={state} />}
        </Section>
        <Domains data={data} />
        <Welcome data={data} />
        <Section id="accounts" data={data} />
        <Section
          id="messages"
          data={data}
          options={{ [ANNOUNCEMENTS]: listChannelOptions(data, text.hiddenChannel) }}
        />
        <Section id="visitors" data={data} />
        <Closing isOwner={data.isOwner} />
      </>
    );
  },
});

interface SectionProps {
  readonly id: Exclude<keyof typeof SECTION_FORMS, "welcome">;
  readonly data: OrganizationData;
  readonly options?: FieldOptions<Values>;
  /** Renders a field that is not declared. */
  readonly children?: (state: FormState) => ComponentChildren;
}

/** Renders a section with a form; disabled fields for those who may not change them. */
function Section({ id, data: { realm, isOwner, isWebAllowed }, options = {}, children }: SectionProps) {
  const { messages: { organization: text } } = useTexts(null);
  const of = SECTION_FORMS[id];
  const state = useFormState(of);
  const stored = toStored(realm, id);
  const isForbidden = id === "visitors" && !isWebAllowed;
  return (
    <SettingsSection id={id} title={text[id]} help={text[`${id}Help`]}>
      {isForbidden && <p class="rounded-control bg-wash px-4 py-2.5">{text.spectatorsForbidden}</p>}
      {SECTIONS[id] && !isOwner
        ? (
          <fieldset disabled class="grid min-w-0 gap-4 [&_:is(input,select,textarea)]:opacity-60">
            <legend class="sr-only">{text[id]}</legend>
            <OwnersOnlyHint />
            {Object.values(of.renderFields(state, stored, options))}
            {children?.(state)}
          </fieldset>
        )
        : (
          <Form of={of} stored={stored} options={options}>
            {(fields) => <>{Object.values(fields)}{children?.(state)}</>}
          </Form>
        )}
    </SettingsSection>
  );
}

interface FieldProps {
  readonly data: OrganizationData;
  readonly state: FormState;
}

/** Renders the choice whether people who join by link confirm their address, each with what it means now. */
function ConfirmationChoice({ data: { realm, linkJoining }, state }: FieldProps) {
  const { messages: { organization: text, invitations } } = useTexts(null);
  return (
    <RadioField
      state={state}
      name={CONFIRMATION}
      label={text.fields[CONFIRMATION].label}
      stored={realm.settings[CONFIRMATION]}
      choices={linkJoining.map(([value, joining]) => ({
        value,
        label: text.confirmations[value],
        hint: invitations.linkJoining[joining],
      }))}
    />
  );
}

/** Lists the channels for announcements; the stored one is always included, so that saving other fields keeps it. */
function listChannelOptions({ realm, channels }: OrganizationData, hiddenName: string) {
  const stored = realm.settings[ANNOUNCEMENTS];
  const isHidden = stored !== null && !channels.some(({ id }) => id === stored);
  return [
    ...(isHidden ? [{ id: stored, name: hiddenName }] : []),
    ...channels.map(({ id, name }) => ({ id, name: `#${name}` })),
  ];
}

function Domains({ data: { realm: { settings: { domains } }, isOwner } }: { data: OrganizationData }) {
  const { messages: { organization: text }, t } = useTexts(null);
  return (
    <SettingsSection id="domains" title={text.domains} help={text.domainsHelp}>
      {!isOwner && <OwnersOnlyHint />}
      {domains.length === 0 ? <p class="text-soft">{text.noDomains}</p> : (
        <Table
          caption={text.domains}
          items={domains}
          keyOf={({ domain }) => domain}
          columns={[
            { title: text.domain, cell: ({ domain }) => <bdi class="min-w-0 break-all">{domain}</bdi> },
            {
              title: text.subdomains,
              cell: ({ allow_subdomains }) => (
                <span class="whitespace-nowrap">
                  {allow_subdomains ? text.subdomainsCount : text.subdomainsDoNot}
                </span>
              ),
            },
          ]}
          {...(isOwner ? { actions: DomainActions } : {})}
        />
      )}
      {isOwner && <Form of={addAllowedDomain} />}
    </SettingsSection>
  );

  function DomainActions({ domain: name, allow_subdomains }: typeof domains[number]) {
    const [label, full] = allow_subdomains
      ? [text.leaveSubdomains, text.leaveSubdomainsOf]
      : [text.countSubdomains, text.countSubdomainsOf];
    const fields = { name, allow: String(!allow_subdomains) };
    return (
      <ActionLabel>
        <ActionButton action={changeDomain.action} fields={fields} label={t(full, { name })}>
          {label}
        </ActionButton>
        <ActionLink href={`/admin/organization/domains/${encodeURIComponent(name)}/remove`} about={name}>
          {text.remove}
        </ActionLink>
      </ActionLabel>
    );
  }
}

/** Renders the welcome message for new users with its preview. */
function Welcome({ data: { realm } }: { data: OrganizationData }) {
  const { messages: { organization: text, common }, t } = useTexts(null);
  const refused = useRefusedForm();
  const of = SECTION_FORMS.welcome;
  const isDraft = refused?.action === previewWelcome.action;
  const edited = isDraft ? { ...refused, action: of.action } : refused;
  const state = formState(edited, of.action);
  const stored = toStored(realm, "welcome");
  // A preview keeps the revision of the form, so that a conflicting change is still detected on save.
  const revision = isDraft ? state.value(REVISION_FIELD) : of.toRevision(stored) ?? "";
  return (
    <SettingsSection id="welcome" title={text.welcome} help={text.welcomeHelp}>
      <AdminForm
        state={state}
        to="#welcome"
        id="welcome-form"
        button={t(of.button ?? "")}
        hidden={{ [REVISION_FIELD]: revision }}
        beside={
          <button type="submit" name="action" value={previewWelcome.action} class={QUIET_BUTTON}>
            {text.preview}
          </button>
        }
      >
        {of.renderFields(state, stored)[WELCOME]}
      </AdminForm>
      {useDraft(previewWelcome) ?? <div id={WELCOME_PREVIEW} aria-live="polite" class="empty:hidden" />}
      <FormPreview formId="welcome-form" failed={common.failed} shownIn={WELCOME_PREVIEW} />
    </SettingsSection>
  );
}

function Closing({ isOwner }: { isOwner: boolean }) {
  const { messages: { organization: text } } = useTexts(null);
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
