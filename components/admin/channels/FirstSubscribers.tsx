import type { NewChannelData } from "@/lib/admin/channels/channel_new_page.ts";
import { useAdmin } from "../admin_view.ts";
import { CheckField, SelectField } from "../fields.tsx";
import { PeopleField } from "../people/PeopleField.tsx";
import type { FormState } from "../form_state.ts";

interface FirstSubscribersProps {
  readonly state: FormState;
  readonly data: NewChannelData;
}

/** Renders the fields for a new channel's first subscribers and its announcement. */
export function FirstSubscribers({ state, data }: FirstSubscribersProps) {
  const { messages } = useAdmin();
  const text = messages.channels;
  return (
    <div class="group/first grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <SelectField
        state={state}
        name="first"
        label={text.first}
        stored="me"
        choices={Object.entries(text.firstChoices).map(([value, label]) => ({ value, label }))}
      />
      <div class="hidden group-has-[option[value=group]:checked]/first:block">
        <SelectField
          state={state}
          name="first_group"
          label={text.firstGroup}
          choices={data.groups.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </div>
      <div class="hidden group-has-[option[value=people]:checked]/first:block">
        <PeopleField state={state} name="first_people" label={text.firstPeople} />
      </div>
      <Announce state={state} data={data} />
    </div>
  );
}

function Announce({ state, data: { announcedIn } }: FirstSubscribersProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.channels;
  return (
    <div class="sm:col-span-2">
      <CheckField
        state={state}
        name="announce"
        label={text.announce}
        hint={announcedIn === null
          ? text.announceNowhere
          : formatter.t(text.announceHint, { name: announcedIn })}
        stored={announcedIn !== null}
        isDisabled={announcedIn === null}
      />
    </div>
  );
}
