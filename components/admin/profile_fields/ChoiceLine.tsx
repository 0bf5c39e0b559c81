import { TEXT_FIELD } from "@/lib/ui/class_names.ts";
import type { Speech } from "@/lib/ui/speech.ts";
import type { ChoiceRow } from "./choice_rows.ts";
import type { ChoiceWords } from "./choice_words.ts";
import { DraftButton } from "./DraftButton.tsx";

/** What can be done with the rows; without script the buttons send the same as a form. */
export interface ChoiceActs {
  readonly type: (at: number, text: string) => void;
  readonly enter: (at: number) => void;
  readonly move: (from: number, to: number) => void;
  readonly remove: (at: number) => void;
  readonly drag: (at: number | null) => void;
  readonly dragOver: (at: number) => boolean;
}

interface ChoiceLineProps {
  readonly row: ChoiceRow;
  readonly at: number;
  /** How many rows there are before the empty ones at the end. */
  readonly filled: number;
  /** People who have it. */
  readonly people: number;
  readonly words: ChoiceWords;
  readonly speech: Speech;
  readonly acts: ChoiceActs;
}

/** One choice: its place, by which it is dragged, its text, and where it can go. */
export function ChoiceLine(props: ChoiceLineProps) {
  const { row, at, filled, people, words, speech, acts } = props;
  return (
    <li
      class="grid grid-cols-[1.75rem_minmax(0,1fr)] items-center gap-x-2 sm:grid-cols-[1.75rem_minmax(0,1fr)_minmax(9rem,auto)]"
      onDragOver={(event) => acts.dragOver(at) && event.preventDefault()}
    >
      <Place {...props} />
      <input type="hidden" name="choice_key" value={row.key} />
      <input
        id={`choice-${at}`}
        name="choice_text"
        dir="auto"
        autoComplete="off"
        value={row.text}
        onInput={(event) => acts.type(at, event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          acts.enter(at);
        }}
        aria-label={speech.say(words.choice, { place: at + 1 })}
        aria-describedby={people > 0 ? `choice-${at}-people` : undefined}
        class={TEXT_FIELD}
      />
      {at < filled && <LineButtons {...props} />}
      {people > 0 && (
        <p id={`choice-${at}-people`} class="col-start-2 row-start-2 mt-0.5 text-tiny text-soft">
          {speech.say(words.choiceUsed, { count: people })}
        </p>
      )}
    </li>
  );
}

/** By its place a row is taken hold of. */
function Place({ row, at, filled, speech, acts }: ChoiceLineProps) {
  const isEnd = at >= filled;
  return (
    <span
      draggable={!isEnd}
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", row.text);
        acts.drag(at);
      }}
      onDragEnd={() => acts.drag(null)}
      class={`flex min-h-11 items-center justify-center tabular-nums text-soft ${
        isEnd ? "opacity-0" : "cursor-grab"
      }`}
      aria-hidden="true"
    >
      {speech.number(at + 1)}
    </span>
  );
}

function LineButtons({ row, at, filled, words, speech, acts }: ChoiceLineProps) {
  const name = row.text.trim() || speech.say(words.choice, { place: at + 1 });
  const common = (draft: string, label: string) => ({
    id: `choice-${at}-${draft}`,
    draft: `${draft} ${at}`,
    label: speech.say(label, { name }),
  });
  return (
    <div class="flex gap-x-3 max-sm:col-start-2 max-sm:row-start-3 sm:justify-end">
      <DraftButton {...common("up", words.moveUpOf)} isOff={at === 0} act={() => acts.move(at, at - 1)}>
        {words.up}
      </DraftButton>
      <DraftButton
        {...common("down", words.moveDownOf)}
        isOff={at >= filled - 1}
        act={() => acts.move(at, at + 1)}
      >
        {words.down}
      </DraftButton>
      <DraftButton
        {...common("remove", words.removeOf)}
        isOff={filled < 2 && row.text.trim() !== ""}
        act={() => acts.remove(at)}
      >
        {words.remove}
      </DraftButton>
    </div>
  );
}
