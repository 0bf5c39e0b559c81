import type { AdminPageData } from "@/lib/admin/admin_page.ts";
import type { NewBotData } from "@/lib/admin/bots/bot_pages.ts";
import { useAdmin } from "../admin_view.ts";
import { AdminForm } from "../AdminForm.tsx";
import { AdminHeading } from "../AdminHeading.tsx";
import { CancelLink } from "../CancelLink.tsx";
import { SelectField, TextInput } from "../fields.tsx";
import { type FormState, formState } from "../form_state.ts";
import { Panel } from "../Panel.tsx";

const LIST = "/admin/users?tab=bots";

/** Renders the form that creates a bot. */
export function NewBotPage({ data, refused }: AdminPageData<NewBotData>) {
  const { messages } = useAdmin();
  const text = messages.bots;
  const state = formState(refused, "create");
  return (
    <>
      <AdminHeading
        title={text.newTitle}
        above={[{ path: LIST, name: messages.users.bots }]}
        lede={text.newLede}
      />
      <Panel title={text.newTitle}>
        <AdminForm state={state} button={text.create} beside={<CancelLink to={LIST} />}>
          <NewBotFields state={state} kinds={data.kinds} />
        </AdminForm>
      </Panel>
    </>
  );
}

function NewBotFields({ state, kinds }: { state: FormState; kinds: readonly number[] }) {
  const { messages } = useAdmin();
  const text = messages.bots;
  const names: Readonly<Record<number, string>> = messages.users.botKinds;
  return (
    <div class="group/kind grid max-w-[28rem] gap-4">
      <TextInput state={state} name="full_name" label={text.fullName} />
      <TextInput
        state={state}
        name="short_name"
        label={text.shortName}
        hint={text.shortNameHint}
        isMono
      />
      <SelectField
        state={state}
        name="bot_type"
        label={text.kind}
        stored="1"
        choices={kinds.map((kind) => ({ value: String(kind), label: names[kind] ?? "" }))}
        hint={`${text.kindHints[1]} ${text.kindHints[2]} ${text.kindHints[3]}`}
      />
      <div class="hidden group-has-[option[value='3']:checked]/kind:block">
        <TextInput
          state={state}
          name="payload_url"
          type="url"
          label={text.payloadUrl}
          hint={text.payloadUrlHint}
        />
      </div>
    </div>
  );
}
