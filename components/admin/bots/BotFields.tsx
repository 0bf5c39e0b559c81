import type { UserData } from "@/lib/admin/users/user_data.ts";
import { toPersonLine } from "@/lib/ui/permission_fields.ts";
import { useAdmin } from "../admin_view.ts";
import { TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";
import { PeopleField } from "../people/PeopleField.tsx";

/** Renders the fields of a bot's account: owner, and the address of an outgoing webhook. */
export function BotFields({ state, data: { bot, botDetails } }: { state: FormState; data: UserData }) {
  const { messages } = useAdmin();
  const text = messages.bots;
  const owner = bot?.owner ?? null;
  return (
    <>
      <PeopleField
        state={state}
        name="owner"
        label={text.owner}
        hint={text.ownerHint}
        stored={owner === null ? "" : toPersonLine({ id: owner.id, full_name: owner.name })}
        rows={1}
      />
      {botDetails !== null && botDetails.payloadUrl !== null && (
        <TextInput
          state={state}
          name="payload_url"
          type="url"
          label={text.payloadUrl}
          stored={botDetails.payloadUrl}
        />
      )}
    </>
  );
}
