import ExpiryNote from "@/islands/admin/invitations/ExpiryNote.tsx";
import type { InvitationsData } from "@/lib/admin/invitations/invitations_data.ts";
import type { InvitationChoices } from "@/lib/admin/invitations/invitation_choices.ts";
import { FIELD_LABEL } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { CharacterCountHint } from "../CharacterCountHint.tsx";
import { CheckField, CheckList, SelectField, TextArea, TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

interface InvitationFieldsProps {
  readonly state: FormState;
  readonly data: InvitationsData;
}

/** Renders the fields that email invitations and links share: role, expiry, channels and groups. */
export function InvitationFields({ state, data }: InvitationFieldsProps) {
  const { messages: { invitations: text }, opens } = useAdmin();
  const isOpen = ["channel", "group", "welcome_text"].some((name) =>
    state.value(name) !== "" || state.problem(name) !== undefined
  );
  return (
    <>
      <div class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] items-start gap-4">
        <RoleField state={state} choices={data.choices} stored="400" />
        <LifetimeFields state={state} data={data} />
        <DefaultChannelsField state={state} choices={data.choices} stored />
      </div>
      <details open={isOpen} class="text-small">
        <summary class="min-h-8 w-fit content-center font-medium underline decoration-edge underline-offset-4">
          {text.more}
        </summary>
        <div class="grid gap-4 pt-4 pb-2 text-body sm:grid-cols-2">
          <ChannelAndGroupFields state={state} choices={data.choices} />
          {opens("/admin/organization") && <WelcomeFields state={state} maxWelcome={data.maxWelcome} />}
          {data.kind === "email" && (
            <div class="sm:pt-7">
              <CheckField state={state} name="notify" label={text.notify} stored />
            </div>
          )}
        </div>
      </details>
    </>
  );
}

interface ChoiceProps {
  readonly state: FormState;
  readonly choices: InvitationChoices;
}

/** Renders the choice of the new user's role. */
export function RoleField({ state, choices, stored }: ChoiceProps & { readonly stored: string }) {
  const { messages: { invitations: text } } = useAdmin();
  return <SelectField state={state} name="role" label={text.role} stored={stored} choices={choices.roles} />;
}

/** Renders the choices of additional channels and groups. */
export function ChannelAndGroupFields(
  { state, choices, channels = [], groups = [] }: ChoiceProps & {
    readonly channels?: readonly string[];
    readonly groups?: readonly string[];
  },
) {
  const { messages: { invitations: text } } = useAdmin();
  return (
    <>
      <CheckList
        state={state}
        name="channel"
        label={text.otherChannels}
        hint={text.otherChannelsHint}
        empty={text.noChannels}
        stored={channels}
        choices={choices.channels}
      />
      <CheckList
        state={state}
        name="group"
        label={text.groups}
        hint={text.groupsHint}
        empty={text.noGroups}
        stored={groups}
        choices={choices.groups}
      />
    </>
  );
}

/** Renders the choice whether new users join the organization's default channels. */
export function DefaultChannelsField({ state, choices, stored }: ChoiceProps & { readonly stored: boolean }) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const names = choices.defaultNames.map((name) => `#${name}`);
  const shown = names.length <= 3 ? names : names.slice(0, 2);
  const count = names.length - shown.length;
  return (
    <fieldset class="min-w-0">
      <legend class={`${FIELD_LABEL} mb-1.5`}>{text.channels}</legend>
      <label class="flex min-h-11 items-center gap-2.5 rounded-control border border-edge bg-paper px-3">
        <input
          type="checkbox"
          name="defaults"
          value="true"
          aria-describedby="defaults-hint"
          defaultChecked={state.isTicked("defaults", stored)}
          class="size-5 flex-none accent-ink"
        />
        {text.defaults}
      </label>
      <p id="defaults-hint" class="mt-1.5 text-small break-words text-soft">
        {names.length === 0
          ? text.noDefaults
          : count === 0
          ? formatter.list(shown)
          : formatter.t(text.andMore, { items: shown.join(", "), count })}
      </p>
    </fieldset>
  );
}

function LifetimeFields({ state, data }: InvitationFieldsProps) {
  const { messages: { invitations: text }, formatter, timeZone } = useAdmin();
  const { usual } = data.lifetimes;
  const units = Object.entries(text.units).map(([value, label]) => ({ value, label }));
  return (
    <div class="group/lasts grid gap-3">
      <SelectField
        state={state}
        name="lasts"
        label={data.kind === "email" ? text.lasts : text.linkLasts}
        stored={String(usual)}
        choices={useLifetimes(data)}
        hint={
          <ExpiryNote
            now={data.now}
            first={state.value("lasts", String(usual))}
            until={text.until}
            never={text.untilNever}
            language={formatter.language}
            timeZone={timeZone}
          />
        }
      />
      <div class="hidden grid-cols-2 gap-3 group-has-[option[value=custom]:checked]/lasts:grid">
        <TextInput state={state} name="custom_number" type="number" label={text.customNumber} stored="2" />
        <SelectField
          state={state}
          name="custom_unit"
          label={text.customUnit}
          stored="days"
          choices={units}
        />
      </div>
    </div>
  );
}

/** Returns the possible lifetimes of an invitation with their labels. */
function useLifetimes({ lifetimes }: InvitationsData) {
  const { messages: { invitations: text }, formatter } = useAdmin();
  const lasting = (minutes: number) => {
    const [phrase, size] = minutes % 1440 === 0
      ? [text.days, 1440] as const
      : minutes % 60 === 0
      ? [text.hours, 60] as const
      : [text.minutes, 1] as const;
    return formatter.t(phrase, { count: minutes / size });
  };
  return [
    ...lifetimes.presets.map((minutes) => ({ value: String(minutes), label: lasting(minutes) })),
    { value: "never", label: text.never },
    { value: "custom", label: text.custom },
  ];
}

function WelcomeFields({ state, maxWelcome }: { state: FormState; maxWelcome: number }) {
  const { messages: { invitations: text } } = useAdmin();
  const choices = Object.entries(text.welcomes).map(([value, label]) => ({ value, label }));
  return (
    <div class="group/welcome grid content-start gap-3">
      <SelectField
        state={state}
        name="welcome"
        label={text.welcome}
        hint={text.welcomeHint}
        stored="default"
        choices={choices}
      />
      <div class="hidden group-has-[option[value=own]:checked]/welcome:block">
        <TextArea
          state={state}
          name="welcome_text"
          label={text.welcomeText}
          rows={4}
          hint={<CharacterCountHint text={text.welcomeTextHint} fieldId="welcome_text" limit={maxWelcome} />}
        />
      </div>
    </div>
  );
}
