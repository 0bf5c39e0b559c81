import { useEffect, useRef } from "preact/hooks";
import {
  type ChoiceRow,
  listRemovedChoices,
  type StoredChoice,
} from "@/components/admin/profile_fields/choice_rows.ts";
import {
  type ChoiceMessages,
  ChoiceRowEditor,
  DraftButton,
  RemovedChoices,
} from "@/components/admin/profile_fields/ChoiceRowEditor.tsx";
import { useChoices } from "@/components/admin/profile_fields/use_choices.ts";
import { makeDraggable } from "@/lib/client/dragging.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface ChoicesEditorProps {
  readonly rows: readonly ChoiceRow[];
  readonly stored: readonly StoredChoice[];
  /** Keys of choices whose removal was confirmed. */
  readonly agreed: readonly string[];
  readonly lossProblem: string | undefined;
  readonly language: string;
  readonly messages: ChoiceMessages;
}

/**
 * Edits the choices of a field: adds a row while typing, moves, sorts and removes rows; forms do the same
 * without JavaScript.
 */
export default function ChoicesEditor(
  { rows: first, stored, agreed, lossProblem, language, messages }: ChoicesEditorProps,
) {
  const formatter = createFormatter({ language, timeZone: "" });
  const { rows: { value: rows }, status, host, run, type } = useChoices(first, stored, {
    messages,
    formatter,
  });
  const context = { messages, formatter, run };
  const order = useRef<HTMLOListElement>(null);
  useEffect(() => order.current === null ? undefined : dragChoices(order.current, run), []);
  const filled = rows.findLastIndex(({ text, key }) => text !== "" || key !== "") + 1;
  // A refused removal is shown even where the page's counts are older.
  const lost = listRemovedChoices(stored, rows).filter((choice) =>
    choice.people > 0 || lossProblem !== undefined
  );
  return (
    <div ref={host}>
      <ol ref={order} class="grid gap-2">
        {rows.map((row, at) => (
          <ChoiceRowEditor
            key={row.id}
            row={row}
            at={at}
            filled={filled}
            people={stored.find(({ key }) => key === row.key)?.people ?? 0}
            onType={(text) => type(at, text)}
            {...context}
          />
        ))}
      </ol>
      <div class="mt-1 flex gap-x-5 ps-9">
        <DraftButton draft="add" run={run}>{messages.addChoice}</DraftButton>
        <DraftButton draft="sort" run={run}>{messages.sortChoices}</DraftButton>
      </div>
      <RemovedChoices lost={lost} agreed={agreed} problem={lossProblem} {...context} />
      <p role="status" class="text-small text-good">{status.value}</p>
    </div>
  );
}

/** Lets choices be dragged by their positions; returns a function that stops it. */
function dragChoices(list: HTMLElement, run: (draft: string) => void): () => void {
  const onDropped = (moved: HTMLElement, before: readonly Node[]) => {
    const [from, to] = [before.indexOf(moved), [...list.children].indexOf(moved)];
    // The rows are rendered in their new order from the order that they were rendered in before.
    list.append(...before);
    if (from !== to) run(`move ${from} ${to}`);
  };
  return makeDraggable(list, { selector: "[data-movable]", onDropped });
}
