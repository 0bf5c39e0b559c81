import {
  type ChoiceRow,
  droppedOf,
  type StoredChoice,
} from "@/components/admin/profile_fields/choice_rows.ts";
import type { ChoiceWords } from "@/components/admin/profile_fields/choice_words.ts";
import { ChoiceLine } from "@/components/admin/profile_fields/ChoiceLine.tsx";
import { ChoiceLosses } from "@/components/admin/profile_fields/ChoiceLosses.tsx";
import { DraftButton } from "@/components/admin/profile_fields/DraftButton.tsx";
import { choiceActs, listActs, useChoices } from "@/components/admin/profile_fields/use_choices.ts";
import { createSpeech } from "@/lib/ui/speech.ts";

interface ChoicesEditorProps {
  readonly rows: readonly ChoiceRow[];
  readonly stored: readonly StoredChoice[];
  /** The keys of choices of which it was said that they may go. */
  readonly agreed: readonly string[];
  readonly lossProblem: string | undefined;
  readonly language: string;
  readonly words: ChoiceWords;
}

/** Edits the choices of a field: a new row while one types, moving, sorting, removing; forms do the same without script. */
export default function ChoicesEditor(
  { rows: first, stored, agreed, lossProblem, language, words }: ChoicesEditorProps,
) {
  const speech = createSpeech({ language, timeZone: "" });
  const list = useChoices(first);
  const acts = choiceActs(list, words, speech);
  const { add, sort, putBack } = listActs(list, words, speech);
  const rows = list.rows.value;
  const filled = rows.findLastIndex(({ text, key }) => text !== "" || key !== "") + 1;
  const people = new Map(stored.map((choice) => [choice.key, choice.people]));
  // What was refused is named even where the counts that the page came with are older.
  const lost = droppedOf(stored, rows).filter((choice) => choice.people > 0 || lossProblem !== undefined);
  return (
    <div ref={list.host}>
      <ol class="grid gap-2">
        {rows.map((row, at) => {
          const line = { row, at, filled, people: people.get(row.key) ?? 0 };
          return <ChoiceLine key={row.id} {...line} words={words} speech={speech} acts={acts} />;
        })}
      </ol>
      <div class="mt-1 flex gap-x-5 ps-9">
        <DraftButton draft="add" act={add}>{words.addChoice}</DraftButton>
        <DraftButton draft="sort" act={sort}>{words.sortChoices}</DraftButton>
      </div>
      <ChoiceLosses {...{ lost, agreed, words, speech, putBack }} problem={lossProblem} />
      <p role="status" class="text-small text-good">{list.said.value}</p>
    </div>
  );
}
