import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { OrganizationData } from "@/lib/admin/organization/organization_data.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { SelectField, TextInput } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { SettingsSection } from "./SettingsSection.tsx";

const PRESETS = ["600", "3600", "86400", "604800", "unlimited"] as const;
const UNITS = [86_400, 3600, 60, 1] as const;

/** Renders the settings for the time limits of messages and the announcement channels. */
export function MessagesSection({ data, refused }: AdminPageData<OrganizationData>) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const state = formState(refused, "messages");
  return (
    <SettingsSection id="messages" title={text.messages} help={text.messagesHelp}>
      <AdminForm state={state} button={text.saves.messages} hidden={{ seen: data.seen.messages }}>
        <TimeLimit
          state={state}
          action="edit"
          stored={data.settings.message_content_edit_limit_seconds}
        />
        <TimeLimit
          state={state}
          action="delete"
          stored={data.settings.message_content_delete_limit_seconds}
        />
        <SelectField
          state={state}
          name="new_stream_announcements_stream_id"
          {...text.fields.new_stream_announcements_stream_id}
          stored={String(data.settings.new_stream_announcements_stream_id ?? "")}
          choices={channelChoices(data, text)}
        />
      </AdminForm>
    </SettingsSection>
  );
}

/**
 * Returns the selectable channels. The stored one is always included, so that saving other fields keeps it.
 */
function channelChoices(
  { channels, settings }: OrganizationData,
  text: { noAnnouncements: string; hiddenChannel: string },
) {
  const stored = settings.new_stream_announcements_stream_id;
  const isHidden = stored !== null && !channels.some(({ id }) => id === stored);
  return [
    { value: "", label: text.noAnnouncements },
    ...(isHidden ? [{ value: String(stored), label: text.hiddenChannel }] : []),
    ...channels.map(({ id, name }) => ({ value: String(id), label: `#${name}` })),
  ];
}

interface TimeLimitProps {
  readonly state: FormState;
  /** The action that is limited. */
  readonly action: "edit" | "delete";
  /** Seconds; null without a limit. */
  readonly stored: number | null;
}

/** Renders the choice of a time limit, and a number with a unit for any other value. */
function TimeLimit({ state, action, stored }: TimeLimitProps) {
  const { messages } = useAdmin();
  const text = messages.organization;
  const labels = text.timeLimits[action];
  const value = stored === null ? "unlimited" : String(stored);
  const isPreset = PRESETS.some((preset) => preset === value);
  const unit = UNITS.find((size) => (stored ?? 0) % size === 0) ?? 1;
  const units = UNITS.toReversed().map((size) => ({ value: String(size), label: text.timeLimitUnits[size] }));
  return (
    <div class="group/limit grid gap-4">
      <SelectField
        state={state}
        name={`message_content_${action}_limit_seconds`}
        label={labels.choice}
        stored={isPreset ? value : "custom"}
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
          stored={isPreset ? "" : String((stored ?? 0) / unit)}
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
