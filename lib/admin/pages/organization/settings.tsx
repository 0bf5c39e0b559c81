import { mapValues } from "es-toolkit/object/mapValues";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { RadioField, SelectField, TextInput } from "@/components/admin/fields.tsx";
import {
  MAX_REALM_DESCRIPTION,
  MAX_REALM_NAME,
  realmOf,
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
import { flag, nameFields, record, text } from "@/lib/admin/declare/fields.tsx";
import { type Field, type FieldsOf, form, type PageForm } from "@/lib/admin/declare/form.tsx";

/** Values of a section's form, as the API receives them. */
type Values = Readonly<Record<string, string | boolean | number | null>>;
type SettingField = Field<string> | Field<boolean> | Field<number | null>;

/** Greatest number of a custom duration. */
const MAX_CUSTOM_TIME = 999_999;
/** Time limits that are offered, in seconds. */
const TIME_LIMITS = {
  600: "10 minutes",
  3600: "1 hour",
  86400: "1 day",
  604800: "1 week",
  unlimited: "No limit",
  custom: "Custom…",
};
/** Units of other time limits, in seconds. */
const UNITS = { 1: "seconds", 60: "minutes", 3600: "hours", 86400: "days" };
/** The welcome message. */
export const WELCOME = "welcome_message_custom_text";
/** The channel for announcements. */
export const ANNOUNCEMENTS = "new_stream_announcements_stream_id";
/** The private channel for reported messages. */
export const REPORTS = "moderation_request_channel_id";
/** The confirmation of addresses of people who join by link. */
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
    emails_restricted_to_domains: {
      ...flag(REALM_SETTINGS.emails_restricted_to_domains),
      check: (isRestricted, { realm, t }) =>
        isRestricted && realm.settings.domains.length === 0
          ? t("Add a domain first. Without one, nobody can join.")
          : null,
    } satisfies Field<boolean>,
    ...flags("disallow_disposable_email_addresses"),
    waiting_period_threshold: {
      ...text(REALM_SETTINGS.waiting_period_threshold),
      check: (days, { t }) =>
        /^\d{1,6}$/.test(days) && Number(days) <= MAX_WAITING_DAYS
          ? null
          : t("Enter a whole number of days from 0 to {most}.", { most: MAX_WAITING_DAYS }),
    } satisfies Field<string>,
    [CONFIRMATION]: {
      read: (submitted, name, { realm }) => submitted.text(name) || realm.settings[CONFIRMATION],
      View: ({ name, state, stored, options }) => (
        <RadioField
          state={state}
          name={name}
          label={useAdmin().t(REALM_SETTINGS[CONFIRMATION].label)}
          stored={stored}
          choices={options.map(({ id, name, note }) => ({ value: String(id), label: name, hint: note }))}
        />
      ),
    } satisfies Field<string>,
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
    message_content_edit_limit_seconds: timeLimit("edit", {
      label: "Time limit for editing messages",
      duration: "Duration for editing",
      unit: "Unit for editing",
    }),
    message_content_delete_limit_seconds: timeLimit("delete", {
      label: "Time limit for deleting own messages",
      duration: "Duration for deleting",
      unit: "Unit for deleting",
    }),
    [ANNOUNCEMENTS]: record({ ...REALM_SETTINGS[ANNOUNCEMENTS], none: "No channel" }),
    [REPORTS]: record({ ...REALM_SETTINGS[REPORTS], none: "No channel" }),
  },
  visitors: flags("enable_spectator_access"),
} satisfies Readonly<Record<string, Readonly<Record<string, SettingField>>>>;

/** Name of a section with a form. */
type Section = keyof typeof SECTION_FIELDS;

/** The forms of the sections by their names. */
export const SECTION_FORMS = {
  profile: sectionForm("profile", "Save profile"),
  joining: sectionForm("joining", "Save joining settings"),
  welcome: sectionForm("welcome", "Save welcome message"),
  accounts: sectionForm("accounts", "Save account settings"),
  messages: sectionForm("messages", "Save message settings"),
  visitors: sectionForm("visitors", "Save visitor settings"),
};

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
  const { t } = useAdmin();
  return (
    <div id={WELCOME_PREVIEW} aria-live="polite">
      <div role="region" aria-label={t("Preview")} class="grid gap-1.5">
        <p class="text-small font-strong">{t("Preview")}</p>
        {html === ""
          ? <p class="text-soft">{t("No message is sent.")}</p>
          // deno-lint-ignore react-no-danger
          : <div dir="auto" class={RENDERED} dangerouslySetInnerHTML={{ __html: html }} />}
      </div>
    </div>
  );
}

function sectionForm(section: Section, button: Phrase): PageForm<Values> {
  const fields: FieldsOf<Values> = SECTION_FIELDS[section];
  return form<Values>({
    action: section,
    button,
    fields,
    stored: async ({ chat, realm: { id } }) => toStored(realmOf(await chat.readOrganization(id)), section),
    check: ({ name }, { t }) => name === "" ? { name: t("Enter a name.") } : {},
    run: async ({ chat, caller, t }, values) => {
      // Forms end lines with two characters, the API with one.
      const sent = mapValues(values, (value) => String(value ?? NO_CHANNEL).replaceAll("\r\n", "\n"));
      await updateRealm(chat, caller, toChanges(sent));
      return { flash: t("Settings saved."), to: `/admin/organization#${section}` };
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

/** A field for a time limit: one of the usual ones, or a number with a unit for any other. */
function timeLimit(
  action: "edit" | "delete",
  labels: Readonly<Record<"label" | "duration" | "unit", Phrase>>,
): Field<string> {
  return {
    read: (submitted, name, { t }) => {
      const chosen = submitted.text(name);
      if (chosen !== "custom") return chosen;
      const amount = submitted.int(`${action}_custom`);
      const unit = submitted.int(`${action}_unit`) ?? 60;
      const isAmount = amount !== null && amount >= 1 && amount <= MAX_CUSTOM_TIME;
      if (isAmount && unit > 0) return String(amount * unit);
      const problem = t("Enter a whole number from 1 to {most}.", { most: MAX_CUSTOM_TIME });
      throw new FormRefusal({ [`${action}_custom`]: problem });
    },
    View: ({ name, state, stored = "" }) => {
      const { t } = useAdmin();
      const isUsual = Object.hasOwn(TIME_LIMITS, stored);
      const unit = isUsual ? 60 : Object.keys(UNITS).findLast((size) => Number(stored) % Number(size) === 0);
      const toChoices = (choices: Readonly<Record<string, Phrase>>) =>
        Object.entries(choices).map(([value, label]) => ({ value, label: t(label) }));
      return (
        <div class="group/limit grid gap-4">
          <SelectField
            state={state}
            name={name}
            label={t(labels.label)}
            stored={isUsual ? stored : "custom"}
            choices={toChoices(TIME_LIMITS)}
          />
          <div class="hidden max-w-sm grid-cols-2 gap-4 group-has-[option[value=custom]:checked]/limit:grid">
            <TextInput
              state={state}
              name={`${action}_custom`}
              label={t(labels.duration)}
              stored={isUsual ? "" : String(Number(stored) / Number(unit))}
              maxLength={6}
            />
            <SelectField
              state={state}
              name={`${action}_unit`}
              label={t(labels.unit)}
              stored={String(unit)}
              choices={toChoices(UNITS)}
            />
          </div>
        </div>
      );
    },
  };
}
