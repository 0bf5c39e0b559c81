import { useAdmin } from "./admin_view.ts";
import { CountedHint } from "./CountedHint.tsx";
import { TextArea, TextInput } from "./fields.tsx";
import type { FormState } from "./form_state.ts";

interface NameFieldsProps {
  readonly state: FormState;
  readonly stored?: { readonly name: string; readonly description: string };
  /** In code points. */
  readonly limits: { readonly name: number; readonly description: number };
  /** What the fields are for; `{count}` is the limit. */
  readonly hints: { readonly name: string; readonly description: string };
}

/** The name and the description of a thing. */
export function NameFields({ state, stored, limits, hints }: NameFieldsProps) {
  const { words } = useAdmin();
  return (
    <div class="grid max-w-[40rem] gap-4">
      <TextInput
        state={state}
        name="name"
        label={words.common.name}
        stored={stored?.name}
        hint={<CountedHint text={hints.name} fieldId="name" limit={limits.name} />}
      />
      <TextArea
        state={state}
        name="description"
        label={words.common.description}
        stored={stored?.description}
        rows={2}
        hint={<CountedHint text={hints.description} fieldId="description" limit={limits.description} />}
      />
    </div>
  );
}
