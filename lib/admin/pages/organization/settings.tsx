import { mapValues } from "es-toolkit/object/mapValues";
import { SelectField, TextInput } from "@/components/admin/fields.tsx";
import type { FormState } from "@/components/admin/form_state.ts";
import {
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
  type RealmRecord,
} from "@/lib/chat/organization/organizations/model.ts";
import { realmParams, type RealmUpdate } from "@/lib/chat/organization/organizations/api.ts";
import {
  MAX_WAITING_DAYS,
  MAX_WELCOME_TEXT,
  NO_CHANNEL,
  REALM_SETTINGS,
  type RealmSettingName,
} from "@/lib/chat/organization/organizations/settings.ts";
import { updateRealm } from "@/lib/chat/organization/organizations/update_realm.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import { prepareContent } from "@/lib/chat/messages/prepare_content.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { flag, nameFields, record, rendered, text } from "@/lib/admin/declare/fields.tsx";
import { type Field, type FieldsOf, form, type PageForm } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";

/** Values of a section's form, as the API receives them. */
type Values = Readonly<Record<string, string | boolean | number | null>>;
type SettingField = Field<string> | Field<boolean> | Field<number | null>;

/** Greatest number of a custom duration. */
const MAX_CUSTOM_TIME = 999_999;
const PRESETS = ["600", "3600", "86400", "604800", "unlimited"] as const;
const UNITS = [86_400, 3600, 60, 1] as const;
/** The welcome message. */
export const WELCOME = "welcome_message_custom_text";
/** The channel for announcements. */
export const ANNOUNCEMENTS = "new_stream_announcements_stream_id";
/** The private channel for reported messages. */
export const REPORTS = "moderation_request_channel_id";
/** The confirmation of addresses, whose choices the page renders. */
export const CONFIRMATION = "email_confirmation";

const flags = (...names: readonly RealmSettingName[]) =>
  Object.fromEntries(names.map((name) => [name, flag(REALM_SETTINGS[name])]));

/** Settings of each section, which has a form; yes/no settings are shown as checkboxes in this order. */
export const SECTION_FIELDS = {
  profile: nameFields(
    { name: MAX_REALM_NAME, description: MAX_REALM_DESCRIPTION },
    "Shown to all users. Up to {count} characters.",
  ),
  joining: {
    ...flags("emails_restricted_to_domains", "disallow_disposable_email_addresses"),
    email_confirmation: rendered((submitted) => submitted.text(CONFIRMATION)),
    waiting_period_threshold: text(REALM_SETTINGS.waiting_period_threshold),
  },
  welcome: {
    [WELCOME]: text({
      label: REALM_SETTINGS[WELCOME].label,
      hint: "Supports Markdown. Leave empty to send no message. Up to {count} characters.",
      max: MAX_WELCOME_TEXT,
      countsDown: true,
      rows: 6,
      keepsBlanks: true,
    }),
  },
  accounts: flags(
    "name_changes_disabled",
    "email_changes_disabled",
    "presence_disabled",
    "enable_read_receipts",
  ),
  messages: {
    message_content_edit_limit_seconds: timeLimit("edit"),
    message_content_delete_limit_seconds: timeLimit("delete"),
    [ANNOUNCEMENTS]: record({ ...REALM_SETTINGS[ANNOUNCEMENTS], none: "No channel" }),
    [REPORTS]: record({ ...REALM_SETTINGS[REPORTS], none: "No channel" }),
  },
  visitors: flags("enable_spectator_access"),
} satisfies Readonly<Record<string, Readonly<Record<string, SettingField>>>>;

/** Name of a section with a form. */
type Section = keyof typeof SECTION_FIELDS;

const BUTTONS: Readonly<Record<Section, Phrase>> = {
  profile: "Save profile",
  joining: "Save joining settings",
  welcome: "Save welcome message",
  accounts: "Save account settings",
  messages: "Save message settings",
  visitors: "Save visitor settings",
};

/** The forms of the sections by their names. */
export const SECTION_FORMS = mapValues(SECTION_FIELDS, (fields, section) => sectionForm(section, fields));

/** Id of the element with the preview of the welcome message. */
export const WELCOME_PREVIEW = "welcome-preview";

/** Previews the welcome message; stores nothing. */
export const previewWelcome = form({
  action: "preview",
  fields: SECTION_FIELDS.welcome,
  refusedAt: WELCOME,
  run: async ({ chat, realm, user }, { [WELCOME]: welcome = "" }) => {
    const isEmpty = welcome.trim() === "";
    const html = isEmpty ? "" : (await prepareContent(chat, { realm, author: user }, welcome)).html;
    return { flash: "", draft: <WelcomePreview html={html} /> };
  },
});

const RENDERED =
  "min-w-0 break-words rounded-control border border-rule bg-raised px-4 py-3 [&_a]:underline [&_blockquote]:border-s-2 [&_blockquote]:border-rule [&_blockquote]:ps-3 [&_blockquote]:text-soft [&_code]:font-mono [&_code]:text-small [&_.katex-html]:hidden [&_h1]:text-h2 [&_h2]:text-lede [&_img]:inline-block [&_img.emoji]:size-5 [&_li]:my-0.5 [&_ol]:list-decimal [&_ol]:ps-6 [&_p]:my-1.5 [&_pre]:overflow-x-auto [&_strong]:font-strong [&_table]:my-2 [&_td]:border [&_td]:border-rule [&_td]:px-2 [&_th]:border [&_th]:border-rule [&_th]:px-2 [&_ul]:list-disc [&_ul]:ps-6";

function WelcomePreview({ html }: { html: string }) {
  const { messages: { organization: text } } = useTexts(null);
  return (
    <div id={WELCOME_PREVIEW} aria-live="polite">
      <div role="region" aria-label={text.previewTitle} class="grid gap-1.5">
        <p class="text-small font-strong">{text.previewTitle}</p>
        {html === ""
          ? <p class="text-soft">{text.previewEmpty}</p>
          // deno-lint-ignore react-no-danger
          : <div dir="auto" class={RENDERED} dangerouslySetInnerHTML={{ __html: html }} />}
      </div>
    </div>
  );
}

function sectionForm(section: Section, fields: FieldsOf<Values>): PageForm<Values> {
  return form<Values>({
    action: section,
    button: BUTTONS[section],
    fields,
    stored: ({ realm }) => Promise.resolve(toStored(realm, section)),
    check: findProblems,
    run: async ({ chat, caller, messages }, values) => {
      const { [CONFIRMATION]: confirmation, ...others } = values;
      const chosen = confirmation ? { ...others, [CONFIRMATION]: confirmation } : others;
      // Forms end lines with two characters, the API with one.
      const sent = mapValues(chosen, (value) => String(value ?? NO_CHANNEL).replaceAll("\r\n", "\n"));
      await updateRealm(chat, caller, toChanges(sent));
      return { flash: messages.organization.saved, to: `/admin/organization#${section}` };
    },
  });
}

/** Converts named values to a change as parameters are sent; everything else stays. */
export function toChanges(sent: Readonly<Record<string, string>>): RealmUpdate {
  return readParams(realmParams, new Map(Object.entries(sent))).values;
}

/** Returns the stored values of a section. */
export function toStored({ name, description, settings }: RealmRecord, section: Section): Values {
  if (section === "profile") return { name, description };
  const names: Readonly<Record<string, unknown>> = { ...settings };
  return mapValues(SECTION_FIELDS[section], (_: SettingField, name: string) => {
    const value = names[name];
    if (value === null) return name === ANNOUNCEMENTS || name === REPORTS ? null : "unlimited";
    return typeof value === "boolean" ? value : String(value);
  });
}

function findProblems(
  values: Values,
  { realm, messages, t }: AdminRequest,
): Readonly<Record<string, string>> {
  const { waiting_period_threshold: days = "0", emails_restricted_to_domains: isRestricted, name } = values;
  const text = messages.organization;
  const isDays = /^\d{1,6}$/.test(String(days)) && Number(days) <= MAX_WAITING_DAYS;
  const isClosed = isRestricted === true && realm.settings.domains.length === 0;
  return {
    ...(name === "" ? { name: text.nameMissing } : {}),
    ...(isDays ? {} : { waiting_period_threshold: t(text.waitingProblem, { most: MAX_WAITING_DAYS }) }),
    ...(isClosed ? { emails_restricted_to_domains: text.restrictedNeedsDomain } : {}),
  };
}

/** A field for a time limit: one of the usual ones, or a number with a unit for any other. */
function timeLimit(action: "edit" | "delete"): Field<string> {
  const name = `message_content_${action}_limit_seconds`;
  return {
    read: (submitted, _, { messages, t }) => {
      const chosen = submitted.text(name);
      if (chosen !== "custom") return chosen;
      const amount = submitted.int(`${action}_custom`);
      const unit = submitted.int(`${action}_unit`) ?? 60;
      const isAmount = amount !== null && amount >= 1 && amount <= MAX_CUSTOM_TIME;
      if (isAmount && unit > 0) return String(amount * unit);
      const problem = t(messages.organization.timeLimitProblem, { most: MAX_CUSTOM_TIME });
      throw new FormRefusal({ [`${action}_custom`]: problem });
    },
    View: ({ state, stored = "" }) => <TimeLimit state={state} action={action} stored={stored} />,
  };
}

interface TimeLimitProps {
  readonly state: FormState;
  /** The action that is limited. */
  readonly action: "edit" | "delete";
  /** Seconds, or `unlimited`. */
  readonly stored: string;
}

function TimeLimit({ state, action, stored }: TimeLimitProps) {
  const text = useTexts(null).messages.organization;
  const labels = text.timeLimits[action];
  const isPreset = PRESETS.some((preset) => preset === stored);
  const unit = UNITS.find((size) => Number(stored) % size === 0) ?? 1;
  const units = UNITS.toReversed().map((size) => ({ value: String(size), label: text.timeLimitUnits[size] }));
  return (
    <div class="group/limit grid gap-4">
      <SelectField
        state={state}
        name={`message_content_${action}_limit_seconds`}
        label={labels.choice}
        stored={isPreset ? stored : "custom"}
        choices={[...PRESETS, "custom" as const].map((preset) => ({
          value: preset,
          label: text.timeLimitChoices[preset],
        }))}
      />
      <div class="hidden max-w-sm grid-cols-2 gap-4 group-has-[option[value=custom]:checked]/limit:grid">
        <TextInput
          state={state}
          name={`${action}_custom`}
          label={labels.duration}
          stored={isPreset ? "" : String(Number(stored) / unit)}
          maxLength={6}
        />
        <SelectField
          state={state}
          name={`${action}_unit`}
          label={labels.unit}
          stored={String(isPreset ? 60 : unit)}
          choices={units}
        />
      </div>
    </div>
  );
}
