import CharacterCount from "@/islands/CharacterCount.tsx";
import { useAdmin } from "../admin_view.ts";
import { TextArea, TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

interface GroupFieldsProps {
  readonly state: FormState;
  readonly stored?: { readonly name: string; readonly description: string };
  readonly limits: { readonly name: number; readonly description: number };
}

/** The name and the description of a group. */
export function GroupFields({ state, stored, limits }: GroupFieldsProps) {
  const { words, speech } = useAdmin();
  const hint = (phrase: string, id: string, limit: number) => (
    <>
      {speech.say(phrase, { count: limit })}{" "}
      <CharacterCount
        fieldId={id}
        limit={limit}
        language={speech.language}
        left={words.common.charactersLeft}
        over={words.common.charactersOver}
      />
    </>
  );
  return (
    <div class="grid max-w-[40rem] gap-4">
      <TextInput
        state={state}
        name="name"
        label={words.common.name}
        stored={stored?.name}
        hint={hint(words.groups.nameHint, "name", limits.name)}
      />
      <TextArea
        state={state}
        name="description"
        label={words.common.description}
        stored={stored?.description}
        rows={2}
        hint={hint(words.groups.descriptionHint, "description", limits.description)}
      />
    </div>
  );
}
