import type { ComponentChildren } from "preact";
import { FIELD_PROBLEM, TEXT_FIELD, WORD_BUTTON } from "@/lib/ui/class_names.ts";
import type { Formatter } from "@/lib/ui/formatter.ts";
import { type ChoiceRow, DRAFT_FIELD, type StoredChoice } from "./choice_rows.ts";

/** Texts of the choice editor. */
export const CHOICE_MESSAGES = {
  choice: "Choice {place}",
  addChoice: "Add choice",
  sortChoices: "Sort A to Z",
  up: "Up",
  down: "Down",
  moveUpOf: "Move up: {name}",
  moveDownOf: "Move down: {name}",
  moved: "{name} moved to position {place} of {count}.",
  remove: "Remove",
  removeOf: "Remove {name}",
  putBack: "Restore",
  putBackOf: "Restore {name}",
  sorted: "Choices sorted.",
  removed: "{name} removed.",
  isBack: "{name} restored.",
  choiceUsed: { one: "used by {count} user", other: "used by {count} users" },
  loss: {
    one: "Remove “{name}” and clear it for the {count} user who chose it",
    other: "Remove “{name}” and clear it for the {count} users who chose it",
  },
  lossTitle: "Removed choices that are in use",
};
export type ChoiceMessages = typeof CHOICE_MESSAGES;

/** Parts of the editor that all rows share. */
export interface ChoiceEditorContext {
  readonly messages: ChoiceMessages;
  readonly formatter: Formatter;
  /** Performs a draft action in the browser; without JavaScript its button sends it, and the server renders the form. */
  readonly run: (draft: string) => void;
}

interface ChoiceRowEditorProps extends ChoiceEditorContext {
  readonly row: ChoiceRow;
  readonly at: number;
  /** Number of rows before the empty ones at the end. */
  readonly filled: number;
  /** Number of users with this choice. */
  readonly people: number;
  readonly onType: (text: string) => void;
}

/** Renders the editor of one choice: drag handle, text and move buttons. */
export function ChoiceRowEditor(props: ChoiceRowEditorProps) {
  const { row, at, filled, people, messages, formatter, onType } = props;
  return (
    <li
      class="grid grid-cols-[1.75rem_minmax(0,1fr)] items-center gap-x-2 sm:grid-cols-[1.75rem_minmax(0,1fr)_minmax(9rem,auto)]"
      data-movable={at < filled ? "" : undefined}
    >
      <span
        data-handle
        class={`flex min-h-11 items-center justify-center tabular-nums text-soft ${
          at < filled ? "select-none in-data-sortable:cursor-grab in-data-sortable:touch-none" : "opacity-0"
        }`}
        aria-hidden="true"
      >
        {formatter.number(at + 1)}
      </span>
      <input type="hidden" name="choice_key" value={row.key} />
      <input
        id={`choice-${at}`}
        name="choice_text"
        dir="auto"
        autoComplete="off"
        value={row.text}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          document.getElementById(`choice-${at + 1}`)?.focus();
        }}
        aria-label={formatter.t(messages.choice, { place: at + 1 })}
        aria-describedby={people > 0 ? `choice-${at}-people` : undefined}
        class={TEXT_FIELD}
      />
      {at < filled && <LineButtons {...props} />}
      {people > 0 && (
        <p id={`choice-${at}-people`} class="col-start-2 row-start-2 mt-0.5 text-tiny text-soft">
          {formatter.t(messages.choiceUsed, { count: people })}
        </p>
      )}
    </li>
  );
}

function LineButtons({ row, at, filled, messages, formatter, run }: ChoiceRowEditorProps) {
  const about = row.text.trim() || formatter.t(messages.choice, { place: at + 1 });
  const isOnly = filled < 2 && row.text.trim() !== "";
  const buttons = [
    ["up", `move ${at} ${at - 1}`, messages.up, messages.moveUpOf, at === 0],
    ["down", `move ${at} ${at + 1}`, messages.down, messages.moveDownOf, at >= filled - 1],
    ["remove", `remove ${at}`, messages.remove, messages.removeOf, isOnly],
  ] as const;
  return (
    <div class="flex gap-x-3 max-sm:col-start-2 max-sm:row-start-3 sm:justify-end">
      {buttons.map(([name, draft, text, label, isOff]) => (
        <DraftButton
          key={name}
          id={`choice-${at}-${name}`}
          draft={draft}
          label={formatter.t(label, { name: about })}
          isOff={isOff}
          run={run}
        >
          {text}
        </DraftButton>
      ))}
    </div>
  );
}

interface DraftButtonProps extends Pick<ChoiceEditorContext, "run"> {
  readonly draft: string;
  readonly id?: string;
  /** Full label, for screen readers. */
  readonly label?: string;
  readonly isOff?: boolean;
  readonly children: ComponentChildren;
}

/** Renders a button that changes the form's content and saves nothing. */
export function DraftButton({ draft, run, id, label, isOff, children }: DraftButtonProps) {
  return (
    <button
      type="submit"
      id={id}
      name={DRAFT_FIELD}
      value={draft}
      formAction="#choices"
      disabled={isOff}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        run(draft);
      }}
      class={`${WORD_BUTTON} disabled:cursor-default disabled:opacity-50`}
    >
      {children}
    </button>
  );
}

interface RemovedChoicesProps extends ChoiceEditorContext {
  /** Choices that users have selected and that the form no longer contains. */
  readonly lost: readonly StoredChoice[];
  /** Keys of the choices whose removal is confirmed. */
  readonly agreed: readonly string[];
  readonly problem: string | undefined;
}

/** Lists the choices that users would lose, each to be confirmed or restored. */
export function RemovedChoices({ lost, agreed, problem, messages, formatter, run }: RemovedChoicesProps) {
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
            run={run}
          >
            {messages.putBack}
          </DraftButton>
        </div>
      ))}
    </fieldset>
  );
}
