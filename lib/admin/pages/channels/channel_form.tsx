import { CheckField, SelectField, TextInput } from "@/components/admin/fields.tsx";
import type { FormState } from "@/components/admin/form_state.ts";
import { listChannelFolders } from "@/lib/chat/channels/channel_folders.ts";
import {
  type ChannelRecord,
  MAX_CHANNEL_DESCRIPTION,
  MAX_CHANNEL_NAME,
  type TopicsPolicy,
  UNLIMITED_RETENTION,
} from "@/lib/chat/organization/channels/model/channel.ts";
import { isAdmin, isOwner } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import { FIELD_HINT, FIELD_LABEL, FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import { channelMessages } from "@/lib/ui/messages/en/channels.ts";
import { FormRefusal } from "@/lib/admin/admin_page.ts";
import type { AdminRequest } from "@/lib/admin/admin_request.ts";
import { choice, nameFields, record } from "@/lib/admin/declare/fields.tsx";
import type { PageForm, Values } from "@/lib/admin/declare/form.tsx";
import { useTexts } from "@/lib/admin/declare/page.tsx";
import type { FormFields } from "@/lib/admin/form_fields.ts";
import { explainPermissions } from "@/lib/admin/permissions/permission_values.ts";
import { CHANNEL_KINDS, type ChannelKind, whyNotOnWeb } from "./channel_kind.ts";

const texts = {
  kindHints: {
    public: "All members can find, join and read it. Guests must be added.",
    shared: "Only subscribers can see it. New subscribers can read earlier messages.",
    protected: "Only subscribers can see it. New subscribers cannot read earlier messages.",
    web: "Anyone can read it without an account.",
  },
  retentionChoices: { default: "Default", unlimited: "Keep forever", days: "Custom…" },
  keptDays: { one: "Keep for {count} day", other: "Keep for {count} days" },
  topicsNeedEveryone:
    "With protected history, everyone must be able to start topics. Set “Start topics” to “Everyone” first.",
  notYours:
    "You are not subscribed to this channel, so you cannot change who can read it. Ask a subscriber to add you.",
};

/** Fields of a channel; `ChannelFields` renders them, and the others, which depend on each other. */
export const channelFields = {
  ...nameFields(
    { name: MAX_CHANNEL_NAME, description: MAX_CHANNEL_DESCRIPTION },
    "What the channel is for, on one line. Supports Markdown. Up to {count} characters.",
  ),
  folder: record({ label: "Folder", none: "No folder" }),
  topics_policy: choice({ label: "Topics", options: channelMessages.topicsPolicies, otherwise: "inherit" }),
};

/** Values of these fields. */
export interface ChannelValues extends Values {
  readonly name: string;
  readonly description: string;
  readonly folder: number | null;
  readonly topics_policy: TopicsPolicy;
}

/** Fields by the parameter that a refusal names. */
export const CHANNEL_PARAMETERS = {
  folder_id: "folder",
  is_default_stream: "is_default_stream",
  is_web_public: "kind",
  is_private: "kind",
};

/** Choices of a channel's form. */
type ChannelFormChoices = Awaited<ReturnType<typeof loadChannelChoices>>;

/** Loads the choices for a channel in `folderId`, or in no folder. */
export async function loadChannelChoices(request: AdminRequest, folderId: number | null = null) {
  const { chat, realm, user } = request;
  const folders = await listChannelFolders(chat, realm, { includeArchived: true });
  return {
    folders: folders.filter(({ id, is_archived }) => !is_archived || id === folderId),
    /** Why channels cannot be opened to the web; null when they can. */
    whyNotOnWeb: await whyNotOnWeb(request),
    setsRetention: isOwner(user),
    setsDefault: isAdmin(user),
  };
}

/** Settings of a submitted channel form that are not declared as fields. */
export interface ReadSettings {
  readonly kind: ChannelKind;
  readonly isDefault: boolean;
  /** In the form of the API; undefined when the form lacks it. */
  readonly retention: number | "realm_default" | "unlimited" | undefined;
}

/**
 * Reads the settings of a channel form.
 * @throws FormRefusal.
 */
export function readSettings({ t }: AdminRequest, fields: FormFields, otherwise: ChannelKind): ReadSettings {
  const days = fields.int("retention_days");
  const retention = RETENTION.get(fields.text("retention"));
  if (retention === "days" && (days === null || days < 1)) {
    throw new FormRefusal({ retention_days: t("Enter a whole number of days, 1 or more.") });
  }
  return {
    retention: retention === "days" ? days ?? undefined : retention,
    kind: CHANNEL_KINDS.find((kind) => kind === fields.text("kind")) ?? otherwise,
    isDefault: fields.flag("is_default_stream"),
  };
}

/** Values of the API by the choices of the form; a number of days is in a field of its own. */
const RETENTION: ReadonlyMap<string, "realm_default" | "unlimited" | "days"> = new Map([
  ["default", "realm_default"],
  ["unlimited", "unlimited"],
  ["days", "days"],
]);

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

/** Settings of a channel as its form shows them. */
export interface ShownSettings extends ChannelValues {
  readonly kind: ChannelKind;
  readonly isDefault: boolean;
  readonly retention: ChannelRecord["message_retention_days"];
  /** Whether the administrator can decide who reads the channel: only its readers can. */
  readonly canRead: boolean;
}

interface ChannelFieldsProps {
  readonly of: PageForm<ChannelValues>;
  readonly state: FormState;
  readonly choices: ChannelFormChoices;
  readonly stored: ShownSettings;
}

/** Renders a channel's fields, without permissions and subscribers. */
export function ChannelFields({ of, state, choices, stored }: ChannelFieldsProps) {
  const { t } = useTexts(texts);
  const { name, description, folder, topics_policy } = of.renderFields(state, stored, {
    folder: choices.folders,
  });
  return (
    <div class="grid gap-6">
      <div class="grid max-w-[40rem] gap-4">{name}{description}</div>
      <KindChoice state={state} choices={choices} stored={stored} />
      <div class="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {folder}
        {topics_policy}
        <RetentionField state={state} choices={choices} stored={stored} />
        {choices.setsDefault && (
          <div class="sm:pt-6">
            <CheckField
              state={state}
              name="is_default_stream"
              label={t("Subscribe new users by default")}
              hint={t("Not available for private channels.")}
              stored={stored.isDefault}
            />
          </div>
        )}
      </div>
    </div>
  );
}

type SettingProps = Omit<ChannelFieldsProps, "of">;

function RetentionField({ state, choices, stored: { retention } }: SettingProps) {
  const { text, t } = useTexts(texts);
  const chosen = retention === null ? "default" : retention === UNLIMITED_RETENTION ? "unlimited" : "days";
  const days = chosen === "days" ? String(retention) : "";
  if (!choices.setsRetention) {
    const kept = chosen === "days"
      ? t(text.keptDays, { count: Number(days) })
      : text.retentionChoices[chosen];
    return (
      <div class="grid content-start gap-y-1.5 text-small">
        <p class="font-strong">{t("Message retention")}</p>
        <p class="py-2 text-soft">{t("{kept}. Only owners can change message retention.", { kept })}</p>
      </div>
    );
  }
  return (
    <div class="group/kept grid content-start gap-y-3">
      <SelectField
        state={state}
        name="retention"
        label={t("Message retention")}
        stored={chosen}
        choices={Object.entries(text.retentionChoices).map(([value, label]) => ({ value, label }))}
      />
      <div class="hidden group-has-[option[value=days]:checked]/kept:block">
        <TextInput
          state={state}
          name="retention_days"
          type="number"
          label={t("Days")}
          stored={days}
        />
      </div>
    </div>
  );
}

/** Renders the choice of a channel's kind, which decides who can read it, each with an explanation. */
function KindChoice({ state, stored: { kind: stored, canRead }, choices: { whyNotOnWeb } }: SettingProps) {
  const { t, text, messages } = useTexts(texts);
  const chosen = state.value("kind", stored) || stored;
  const problem = state.problem("kind");
  const described = [...(problem === undefined ? [] : ["kind-problem"]), ...(canRead ? [] : ["kind-note"])];
  return (
    <fieldset class="grid min-w-0 gap-y-1.5" aria-describedby={described.join(" ") || undefined}>
      <legend class={`${FIELD_LABEL} mb-1.5`}>{t("Who can read it")}</legend>
      {!canRead && <p id="kind-note" class={FIELD_HINT}>{text.notYours}</p>}
      <div class="grid gap-x-6 gap-y-1 md:grid-cols-2">
        {CHANNEL_KINDS.map((kind) => {
          const id = `kind-${kind}`;
          const obstacle = kind === "web" && kind !== stored ? whyNotOnWeb : null;
          const isDisabled = kind !== stored && !canRead || obstacle !== null;
          return (
            <div key={kind} class="flex items-start gap-2.5 py-1.5">
              <input
                id={id}
                type="radio"
                name="kind"
                value={kind}
                defaultChecked={kind === chosen}
                disabled={isDisabled}
                aria-describedby={`${id}-hint`}
                class="mt-0.5 size-5 flex-none accent-ink"
              />
              <div class="min-w-0">
                <label for={id} class={`text-small font-strong ${isDisabled ? "text-soft" : ""}`}>
                  {messages.channels.kinds[kind]}
                </label>
                <p id={`${id}-hint`} class={FIELD_HINT}>{obstacle ?? text.kindHints[kind]}</p>
              </div>
            </div>
          );
        })}
      </div>
      {problem !== undefined && <p id="kind-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
    </fieldset>
  );
}
