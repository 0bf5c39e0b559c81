import {
  type ChoiceRow,
  DRAFT_FIELD,
  droppedOf,
  type StoredChoice,
} from "@/components/admin/profile_fields/choice_rows.ts";
import type { ChoiceWords } from "@/components/admin/profile_fields/choice_words.ts";
import { ChoiceLine } from "@/components/admin/profile_fields/ChoiceLine.tsx";
import { ChoiceLosses } from "@/components/admin/profile_fields/ChoiceLosses.tsx";
import { choiceActs, listActs, useChoices } from "@/components/admin/profile_fields/use_choices.ts";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";
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
  const lost = droppedOf(stored, rows).filter((choice) => choice.people > 0);
  const buttons = [[words.addChoice, "add", add], [words.sortChoices, "sort", sort]] as const;
  return (
    <div ref={list.host}>
      <ol class="grid gap-2">
        {rows.map((row, at) => {
          const line = { row, at, filled, isEnd: at >= filled, people: people.get(row.key) ?? 0 };
          return <ChoiceLine key={row.id} {...line} words={words} speech={speech} acts={acts} />;
        })}
      </ol>
      <div class="mt-1 flex gap-x-5 ps-9">
        {buttons.map(([word, draft, act]) => (
          <button
            key={draft}
            type="submit"
            name={DRAFT_FIELD}
            value={draft}
            formAction="#choices"
            onClick={(event) => {
              event.preventDefault();
              act();
            }}
            class={WORD_BUTTON}
          >
            {word}
          </button>
        ))}
      </div>
      <ChoiceLosses {...{ lost, agreed, words, speech, putBack }} problem={lossProblem} />
      <p role="status" class="text-small text-good">{list.said.value}</p>
    </div>
  );
}
