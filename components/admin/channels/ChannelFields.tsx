import type { ChannelFormChoices, ShownChannel } from "@/lib/admin/channels/channel_form.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckField, SelectField, TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";
import { NameFields } from "../NameFields.tsx";
import { KindChoice } from "./KindChoice.tsx";

interface ChannelFieldsProps {
  readonly state: FormState;
  readonly choices: ChannelFormChoices;
  readonly stored: ShownChannel;
}

/** Renders a channel's fields, without permissions and subscribers. */
export function ChannelFields({ state, choices, stored }: ChannelFieldsProps) {
  const { messages } = useAdmin();
  const text = messages.channels;
  return (
    <div class="grid gap-6">
      <TextFields state={state} choices={choices} stored={stored} />
      <KindChoice state={state} stored={stored.kind} choices={choices} canChange={stored.canRead} />
      <div class="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <SelectField
          state={state}
          name="folder"
          label={text.folder}
          stored={stored.folderId === null ? "" : String(stored.folderId)}
          choices={[
            { value: "", label: text.noFolder },
            ...choices.folders.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
        <TopicsField state={state} choices={choices} stored={stored} />
        <RetentionField state={state} choices={choices} stored={stored} />
        <div class="sm:pt-6">
          <CheckField
            state={state}
            name="is_default_stream"
            label={text.defaultLabel}
            hint={text.defaultHint}
            stored={stored.isDefault}
          />
        </div>
      </div>
    </div>
  );
}

function TopicsField({ state, choices, stored }: ChannelFieldsProps) {
  const { messages } = useAdmin();
  const text = messages.channels;
  return (
    <SelectField
      state={state}
      name="topics_policy"
      label={text.topicsPolicy}
      stored={stored.topicsPolicy}
      choices={choices.topicsPolicies.map((policy) => ({
        value: policy,
        label: text.topicsPolicies[policy],
      }))}
    />
  );
}

function TextFields({ state, choices: { limits }, stored }: ChannelFieldsProps) {
  const { nameHint: name, descriptionHint: description } = useAdmin().messages.channels;
  return <NameFields state={state} stored={stored} limits={limits} hints={{ name, description }} />;
}

function RetentionField({ state, choices, stored: { retention } }: ChannelFieldsProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  if (!choices.setsRetention) {
    const kept = retention.choice === "days"
      ? formatter.t(text.keptDays, { count: Number(retention.days) })
      : text.retentionChoices[retention.choice];
    return (
      <div class="grid content-start gap-y-1.5 text-small">
        <p class="font-strong">{text.retention}</p>
        <p class="py-2 text-soft">{formatter.t(text.retentionOwners, { kept })}</p>
      </div>
    );
  }
  return (
    <div class="group/kept grid content-start gap-y-3">
      <SelectField
        state={state}
        name="retention"
        label={text.retention}
        stored={retention.choice}
        choices={Object.entries(text.retentionChoices).map(([value, label]) => ({ value, label }))}
      />
      <div class="hidden group-has-[option[value=days]:checked]/kept:block">
        <TextInput
          state={state}
          name="retention_days"
          type="number"
          label={text.retentionDays}
          stored={retention.days}
        />
      </div>
    </div>
  );
}
