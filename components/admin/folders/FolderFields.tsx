import CharacterCount from "@/islands/CharacterCount.tsx";
import { useAdmin } from "../admin_view.ts";
import { TextArea, TextInput } from "../fields.tsx";
import type { FormState } from "../form_state.ts";

interface FolderFieldsProps {
  readonly state: FormState;
  readonly stored?: { readonly name: string; readonly description: string };
  readonly limits: { readonly name: number; readonly description: number };
}

/** The name and the description of a folder. */
export function FolderFields({ state, stored, limits }: FolderFieldsProps) {
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
        hint={hint(words.folders.nameHint, "name", limits.name)}
      />
      <TextArea
        state={state}
        name="description"
        label={words.common.description}
        stored={stored?.description}
        rows={2}
        hint={hint(words.folders.descriptionHint, "description", limits.description)}
      />
    </div>
  );
}
