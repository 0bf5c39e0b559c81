import { FIELD_PROBLEM } from "@/lib/ui/class_names.ts";
import type { Formatter } from "@/lib/ui/formatter.ts";
import type { StoredChoice } from "./choice_rows.ts";
import type { ChoiceMessages } from "./choice_words.ts";
import { DraftButton } from "./DraftButton.tsx";

interface RemovedChoicesProps {
  /** Choices that users have selected and that the form no longer contains. */
  readonly lost: readonly StoredChoice[];
  /** Keys of the choices whose removal is confirmed. */
  readonly agreed: readonly string[];
  readonly problem: string | undefined;
  readonly messages: ChoiceMessages;
  readonly formatter: Formatter;
  readonly putBack: (choice: StoredChoice) => void;
}

/** Lists the choices whose answers users would lose, each to be confirmed or restored. */
export function RemovedChoices({ lost, agreed, problem, messages, formatter, putBack }: RemovedChoicesProps) {
  if (lost.length === 0) return null;
  return (
    <fieldset
      class="mt-3 min-w-0 border-s-2 border-accent ps-4"
      aria-describedby={problem === undefined ? undefined : "drop-problem"}
    >
      <legend class="sr-only">{messages.lossTitle}</legend>
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
            <bdi>{formatter.t(messages.loss, { name: choice.text, count: choice.people })}</bdi>
          </label>
          <DraftButton
            draft={`restore ${choice.key}`}
            label={formatter.t(messages.putBackOf, { name: choice.text })}
            act={() => putBack(choice)}
          >
            {messages.putBack}
          </DraftButton>
        </div>
      ))}
    </fieldset>
  );
}
