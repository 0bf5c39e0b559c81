import { FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import type { Speech } from "@/lib/ui/speech.ts";
import type { StoredChoice } from "./choice_rows.ts";
import type { ChoiceWords } from "./choice_words.ts";
import { DraftButton } from "./DraftButton.tsx";

interface ChoiceLossesProps {
  /** Choices that people have and that are not in the list any more. */
  readonly lost: readonly StoredChoice[];
  /** The keys of those of which it was said before that they may go. */
  readonly agreed: readonly string[];
  readonly problem: string | undefined;
  readonly words: ChoiceWords;
  readonly speech: Speech;
  readonly putBack: (choice: StoredChoice) => void;
}

/** Names the choices that people would lose with their answers, each to be agreed to or put back. */
export function ChoiceLosses({ lost, agreed, problem, words, speech, putBack }: ChoiceLossesProps) {
  if (lost.length === 0) return null;
  return (
    <fieldset
      class="mt-3 min-w-0 border-s-2 border-accent ps-4"
      aria-describedby={problem === undefined ? undefined : "drop-problem"}
    >
      <legend class="sr-only">{words.lossTitle}</legend>
      {problem !== undefined && <p id="drop-problem" role="alert" class={FIELD_PROBLEM}>{problem}</p>}
      {lost.map((choice) => (
        <div key={choice.key} class="flex flex-wrap items-center gap-x-4">
          <label class="flex min-h-9 items-start gap-2.5 py-1.5">
            <input
              type="checkbox"
              name="drop"
              value={choice.key}
              defaultChecked={agreed.includes(choice.key)}
              class="mt-0.5 size-5 flex-none accent-ink"
            />
            <bdi>{speech.say(words.loss, { name: choice.text, count: choice.people })}</bdi>
          </label>
          <DraftButton
            draft={`restore ${choice.key}`}
            label={speech.say(words.putBackOf, { name: choice.text })}
            act={() => putBack(choice)}
          >
            {words.putBack}
          </DraftButton>
        </div>
      ))}
    </fieldset>
  );
}
