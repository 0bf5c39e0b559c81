import { TOPICS_POLICIES } from "@/lib/ui/texts.ts";
import { RadioField } from "@/components/admin/fields.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import {
  type ChannelRecord,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  UNLIMITED_RETENTION,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { isAdmin, isOwner } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { FIELD_HINT } from "@/lib/ui/class_names.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { choice, count, flag, nameFields, record, whenChosen } from "@/lib/admin/declare/fields.tsx";
import type { Field, PageForm } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import { explainPermissions } from "@/lib/admin/permissions/permission_values.ts";
import { CHANNEL_KIND_NAMES, CHANNEL_KINDS, type ChannelKind, kindOf, whyNotOnWeb } from "./channel_kind.ts";

const texts = {
  kindHints: {
    public: "All members can find, join and read it. Guests must be added.",
    shared: "Only subscribers can see it. New subscribers can read earlier messages.",
    protected: "Only subscribers can see it. New subscribers cannot read earlier messages.",
    web: "Anyone can read it without an account.",
  },
  keptDays: { one: "Keep for {count} day", other: "Keep for {count} days" },
  topicsNeedEveryone:
    "With protected history, everyone must be able to start topics. Set “Start topics” to “Everyone” first.",
  notYours:
    "You are not subscribed to this channel, so you cannot change who can read it. Ask a subscriber to add you.",
};
const RETENTION = { default: "Default", unlimited: "Keep forever", days: "Custom…" };

/** The choice of a channel's kind, which decides who can read it; the page explains the kinds as options. */
const kind: Field<ChannelKind | null> = {
  read: (submitted, name) => CHANNEL_KINDS.find((known) => known === submitted.text(name)) ?? null,
  View: ({ name, state, stored, options }) => (
    <RadioField
      state={state}
      name={name}
      label={useTexts(null).t("Who can read it")}
      stored={stored ?? ""}
      choices={options.map(({ id, name, note, isDisabled = false }) => ({
        ...{ value: String(id), label: name, hint: note, isDisabled },
      }))}
      look="grid gap-x-6 gap-y-1 md:grid-cols-2"
    />
  ),
};

/** Days of retention; without a whole number of them, the problem says what is expected. */
const days: Field<number | null> = {
  ...count({ label: "Days" }),
  read: (submitted, name) => submitted.int(name),
  check: (value, { t }) => value === null || value < 1 ? t("Enter a whole number of days, 1 or more.") : null,
};

/** Fields of a channel; `ChannelFields` arranges them. */
export const channelFields = {
  ...nameFields(
    { name: MAX_CHANNEL_NAME, description: MAX_CHANNEL_DESCRIPTION },
    "What the channel is for, on one line. Supports Markdown. Up to {count} characters.",
  ),
  kind,
  folder: record({ label: "Folder", none: "No folder" }),
  topics_policy: choice({ label: "Topics", options: TOPICS_POLICIES, otherwise: "inherit" }),
  retention: choice({ label: "Message retention", options: RETENTION, otherwise: "default" }),
  retention_days: whenChosen("retention", "days", days),
  is_default_stream: flag({
    label: "Subscribe new users by default",
    hint: "Not available for private channels.",
  }),
};

/** Values of a channel's fields. */
export type ChannelValues = {
  readonly [Name in keyof typeof channelFields]: Awaited<ReturnType<typeof channelFields[Name]["read"]>>;
};

/** Fields by the parameter that a refusal names. */
export const CHANNEL_PARAMETERS = { folder_id: "folder", is_web_public: "kind", is_private: "kind" };

/** Returns the values of a channel's form. */
export function storedOf(channel: ChannelRecord, isDefault: boolean): ChannelValues {
  const { name, description, folder_id, topics_policy, message_retention_days: days } = channel;
  const hasDays = days !== null && days !== UNLIMITED_RETENTION;
  return {
    ...{ name, description, kind: kindOf(channel), folder: folder_id, topics_policy },
    retention: hasDays ? "days" : days === null ? "default" : "unlimited",
    retention_days: hasDays ? days : null,
    is_default_stream: isDefault,
  };
}

/** Returns the retention that a form chose, in the form of the API. */
export function toRetention({ retention, retention_days: days }: ChannelValues) {
  return retention === "days" ? days ?? undefined : retention === "default" ? "realm_default" : retention;
}

/** Choices of a channel's form. */
type ChannelFormChoices = Awaited<ReturnType<typeof loadChannelChoices>>;

/** Loads the choices for a channel in `folderId`, or in no folder. */
export async function loadChannelChoices(request: AdminRequest, folderId: number | null = null) {
  const { chat, realm } = request;
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  return {
    folders: folders.filter(({ id, is_archived }) => !is_archived || id === folderId),
    /** Why channels cannot be opened to the web; null when they can. */
    whyNotOnWeb: await whyNotOnWeb(request),
  };
}

/**
 * Runs a change of a channel and assigns refusals of permissions to their fields.
 * @throws FormRefusal, and whatever else `work` throws.
 */
export async function explainChannel<T>(request: AdminRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await explainPermissions(request, work);
  } catch (error) {
    if (!(error instanceof AppError) || error.field !== "history_public_to_subscribers") throw error;
    const problem = request.t(texts.topicsNeedEveryone);
    throw new FormRefusal({ kind: problem, can_create_topic_group: problem });
  }
}

interface ChannelFieldsProps {
  readonly of: PageForm<ChannelValues>;
  readonly choices: ChannelFormChoices;
  readonly stored: Partial<ChannelValues>;
  /** Whether the administrator can decide who reads the channel: only its readers can. */
  readonly canRead: boolean;
}

/** Renders a channel's fields, without permissions and subscribers. */
export function ChannelFields({ of, choices, stored, canRead }: ChannelFieldsProps) {
  const { t, text, user } = useTexts(texts);
  const kinds = CHANNEL_KINDS.map((id) => {
    const obstacle = id === "web" && id !== stored.kind ? choices.whyNotOnWeb : null;
    return {
      ...{ id, name: t(CHANNEL_KIND_NAMES[id]), note: obstacle ?? text.kindHints[id] },
      isDisabled: id !== stored.kind && !canRead || obstacle !== null,
    };
  });
  const fields = of.renderFields(useFormState(of), stored, { folder: choices.folders, kind: kinds });
  return (
    <div class="grid gap-6">
      <div class="grid max-w-[40rem] gap-4">{fields.name}{fields.description}</div>
      <div class="grid gap-y-1.5" {...(canRead ? {} : { role: "group", "aria-describedby": "kind-note" })}>
        {fields.kind}
        {!canRead && <p id="kind-note" class={FIELD_HINT}>{text.notYours}</p>}
      </div>
      <div class="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {fields.folder}
        {fields.topics_policy}
        {isOwner(user)
          ? (
            <div class="group/kept grid content-start gap-y-3">
              {fields.retention}
              <div class="hidden group-has-[option[value=days]:checked]/kept:block">
                {fields.retention_days}
              </div>
            </div>
          )
          : (
            <div class="grid content-start gap-y-1.5 text-small">
              <p class="font-strong">{t("Message retention")}</p>
              <p class="py-2 text-soft">
                {t("{kept}. Only owners can change message retention.", {
                  kept: stored.retention === "days"
                    ? t(text.keptDays, { count: stored.retention_days ?? 0 })
                    : t(RETENTION[stored.retention ?? "default"]),
                })}
              </p>
            </div>
          )}
        {isAdmin(user) && <div class="sm:pt-6">{fields.is_default_stream}</div>}
      </div>
    </div>
  );
}
