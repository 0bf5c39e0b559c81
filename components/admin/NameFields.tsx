import { useAdmin } from "./admin_view.ts";
import { CharacterCountHint } from "./CharacterCountHint.tsx";
import { TextArea, TextInput } from "./fields.tsx";
import type { FormState } from "./form_state.ts";

interface NameFieldsProps {
  readonly state: FormState;
  readonly stored?: { readonly name: string; readonly description: string };
  /** Maximum lengths in code points. */
  readonly limits: { readonly name: number; readonly description: number };
  /** Hints of the fields; `{count}` is the maximum length. */
  readonly hints: { readonly name: string; readonly description: string };
}

/** Renders the fields for a name and a description. */
export function NameFields({ state, stored, limits, hints }: NameFieldsProps) {
  const { messages } = useAdmin();
  return (
    <div class="grid max-w-[40rem] gap-4">
      <TextInput
        state={state}
        name="name"
        label={messages.common.name}
        stored={stored?.name}
        hint={<CharacterCountHint text={hints.name} fieldId="name" limit={limits.name} />}
      />
      <TextArea
        state={state}
        name="description"
        label={messages.common.description}
        stored={stored?.description}
        rows={2}
        hint={
          <CharacterCountHint text={hints.description} fieldId="description" limit={limits.description} />
        }
      />
    </div>
  );
}
