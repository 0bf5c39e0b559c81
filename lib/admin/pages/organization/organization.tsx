import { mapValues } from "es-toolkit/object/mapValues";
import { HIDDEN_CHANNEL } from "@/lib/admin/permissions/permission_impact.ts";
import { EMAIL_CONFIRMATIONS, FAILED, LINK_JOINING } from "@/lib/ui/texts.ts";
import FormPreview from "@/islands/admin/FormPreview.tsx";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { formState, useDraft, useFormState, useRefusedForm } from "@/components/admin/form_state.ts";
import { OrganizationNav, SectionLinks } from "@/components/admin/organization/OrganizationNav.tsx";
import { RefusalAlert } from "@/components/admin/organization/RefusalAlert.tsx";
import { OwnersOnlyHint, SettingsSection } from "@/components/admin/organization/SettingsSection.tsx";
import { Link } from "@/components/Link.tsx";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { getLinkJoining } from "@/lib/chat/organization/organizations/model.ts";
import { isOwner } from "@/lib/chat/organization/users/model.ts";
import { QUIET_BUTTON, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { Form } from "@/lib/admin/declare/form.tsx";
import { adminPage } from "@/lib/admin/declare/page.tsx";
import { always, inOrganization } from "@/lib/admin/events/shown_events.ts";
import { REVISION_FIELD } from "@/lib/admin/revision.ts";
import { listShownChannels } from "@/lib/admin/shown_people.ts";
import { addAllowedDomain, changeDomain, Domains } from "./domains.tsx";
import { changeIcon, Icon, removeCurrentIcon } from "./icon.tsx";
import {
  ANNOUNCEMENTS,
  CONFIRMATION,
  previewWelcome,
  REPORTS,
  SECTION_FORMS,
  toStored,
  WELCOME,
  WELCOME_PREVIEW,
} from "./settings.tsx";

/** Sections of the page: title and explanation. */
export const SECTIONS = {
  profile: ["Profile", "The name and description that users and invited people see."],
  icon: ["Icon", "A picture that is shown beside the name of the organization."],
  joining: ["Joining", "Who can create an account, and when new users become full members."],
  domains: [
    "Allowed domains",
    "If joining is restricted, people need an email address of one of these domains.",
  ],
  welcome: ["Welcome", "A direct message that new users receive when they join."],
  accounts: ["Accounts", "What users can change in their own accounts, and what others see of them."],
  messages: [
    "Messages",
    "How long messages can be edited and deleted, where new channels are announced, and where reports arrive.",
  ],
  visitors: ["Visitors", "What people without an account can read."],
  closing: ["Deactivation", "Deactivate the organization for all users."],
} as const;
/** Sections that only owners can change. */
const OWNER_SECTIONS: readonly string[] = ["joining", "domains", "closing"];
const SPECTATORS_FORBIDDEN =
  "This server does not allow reading without an account (WEB_PUBLIC_STREAMS_ENABLED is false). This setting has no effect until the server operator allows it.";

type OrganizationData = Awaited<ReturnType<typeof loadOrganization>>;

async function loadOrganization(request: AdminRequest) {
  const { chat, realm, t } = request;
  const channels = await listShownChannels(request);
  // The stored channel is always offered, so that saving other fields keeps it.
  const toOptions = (stored: number | null, isOffered: (channel: ChannelRecord) => boolean) => [
    ...(stored === null || channels.some(({ id }) => id === stored)
      ? []
      : [{ id: stored, name: t(HIDDEN_CHANNEL) }]),
    ...channels.filter((channel) => isOffered(channel) || channel.id === stored)
      .map(({ id, name }) => ({ id, name: `#${name}` })),
  ];
  return {
    realm,
    isWebAllowed: chat.config.webPublicStreamsEnabled,
    options: {
      /** Each with the way in which people would join by a reusable link now. */
      [CONFIRMATION]: (["automatic", "required", "not_required"] as const).map((id) => {
        const joining = getLinkJoining(chat, {
          ...realm,
          settings: { ...realm.settings, [CONFIRMATION]: id },
        });
        return { id, name: t(EMAIL_CONFIRMATIONS[id]), note: t(LINK_JOINING[joining]) };
      }),
      [ANNOUNCEMENTS]: toOptions(realm.settings[ANNOUNCEMENTS], () => true),
      [REPORTS]: toOptions(realm.settings[REPORTS], ({ invite_only }) => invite_only),
    },
  };
}

/** The organization's settings: sections with a form each, and the domains. */
export const organizationPage = adminPage({
  path: "/admin/organization",
  find: { words: "settings configuration" },
  load: loadOrganization,
  title: "Organization",
  lede: ({ realm }, t) => t("Settings of {organization}.", { organization: realm.name }),
  shows: { realm: inOrganization(false), realm_domains: always },
  forms: [
    ...Object.values(SECTION_FORMS),
    changeIcon,
    removeCurrentIcon,
    previewWelcome,
    addAllowedDomain,
    changeDomain,
  ],
  view: ({ data }) => {
    const { user, t } = useAdmin();
    const refused = useRefusedForm();
    const forms = [...Object.keys(SECTIONS), previewWelcome.action, addAllowedDomain.action];
    const closed = isOwner(user) ? [] : [...OWNER_SECTIONS, addAllowedDomain.action];
    const isShown = forms.some((action) => action === refused?.action && !closed.includes(action));
    return (
      <>
        <RefusalAlert refused={refused} isShown={isShown} />
        <OrganizationNav here="/admin/organization" />
        <SectionLinks sections={Object.entries(SECTIONS).map(([id, [title]]) => ({ id, title: t(title) }))} />
        {Object.values(mapValues(SECTIONS, (_, id) => <Section key={id} id={id} data={data} />))}
      </>
    );
  },
});

interface SectionProps {
  readonly id: keyof typeof SECTIONS;
  readonly data: OrganizationData;
}

/** Renders a section; those for owners say so to others. */
function Section({ id, data }: SectionProps) {
  const { user, t } = useAdmin();
  const [title, help] = SECTIONS[id];
  const isLocked = OWNER_SECTIONS.includes(id) && !isOwner(user);
  return (
    <SettingsSection id={id} title={t(title)} help={t(help)}>
      {isLocked && <OwnersOnlyHint />}
      {id === "icon"
        ? <Icon {...data.realm} />
        : id === "domains"
        ? <Domains {...data.realm} />
        : id === "welcome"
        ? <Welcome data={data} />
        : id === "closing"
        ? <Closing />
        : <SettingsForm id={id} data={data} isLocked={isLocked} />}
    </SettingsSection>
  );
}

interface SettingsFormProps {
  readonly id: Exclude<keyof typeof SECTION_FORMS, "welcome">;
  readonly data: OrganizationData;
  readonly isLocked: boolean;
}

/** Renders the form of a section; disabled fields for those who may not change them. */
function SettingsForm({ id, data: { realm, isWebAllowed, options }, isLocked }: SettingsFormProps) {
  const { t } = useAdmin();
  const of = SECTION_FORMS[id];
  const state = useFormState(of);
  const stored = toStored(realm, id);
  if (isLocked) {
    return (
      <fieldset disabled class="grid min-w-0 gap-4 [&_:is(input,select,textarea)]:opacity-60">
        <legend class="sr-only">{t(SECTIONS[id][0])}</legend>
        {Object.values(of.renderFields(state, stored, options))}
      </fieldset>
    );
  }
  return (
    <>
      {id === "visitors" && !isWebAllowed && (
        <p class="rounded-control bg-wash px-4 py-2.5">{t(SPECTATORS_FORBIDDEN)}</p>
      )}
      <Form of={of} stored={stored} options={options} look={QUIET_BUTTON}>
        {(fields) => <>{Object.values(fields)}</>}
      </Form>
    </>
  );
}

/** Renders the welcome message for new users with its preview. */
function Welcome({ data: { realm } }: { data: OrganizationData }) {
  const { t } = useAdmin();
  const refused = useRefusedForm();
  const of = SECTION_FORMS.welcome;
  const isDraft = refused?.action === previewWelcome.action;
  const edited = isDraft ? { ...refused, action: of.action } : refused;
  const state = formState(edited, of.action);
  const stored = toStored(realm, "welcome");
  // A preview keeps the revision of the form, so that a conflicting change is still detected on save.
  const revision = isDraft ? state.value(REVISION_FIELD) : of.toRevision(stored) ?? "";
  return (
    <>
      <AdminForm
        state={state}
        to="#welcome"
        id="welcome-form"
        button={t(of.button ?? "")}
        look={QUIET_BUTTON}
        hidden={{ [REVISION_FIELD]: revision }}
        beside={
          <button type="submit" name="action" value={previewWelcome.action} class={WORD_BUTTON}>
            {t("Show preview")}
          </button>
        }
      >
        {of.renderFields(state, stored)[WELCOME]}
      </AdminForm>
      {useDraft(previewWelcome) ?? <div id={WELCOME_PREVIEW} aria-live="polite" class="empty:hidden" />}
      <FormPreview formId="welcome-form" failed={t(FAILED)} shownIn={WELCOME_PREVIEW} />
    </>
  );
}

function Closing() {
  const { user, t } = useAdmin();
  return (
    <>
      <p>{t("All users are signed out and cannot sign in again. All data is kept on the server.")}</p>
      {isOwner(user) && (
        <Link
          class="link inline-flex min-h-9 items-center justify-self-start font-medium text-accent"
          href="/admin/organization/deactivate"
        >
          {t("Deactivate organization")}
        </Link>
      )}
    </>
  );
}
