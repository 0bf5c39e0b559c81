import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sendPageAction } from "@/lib/client/page_action.ts";
import { idOf, makeSortable, movableRows, orderRows } from "@/lib/client/sortable.ts";
import { STATUS_BAR, WORD_BUTTON } from "@/lib/ui/class_names.ts";

interface SortableListProps {
  /** Id of the rows' parent; rows are its children with `data-id`, and their notes are in `data-notes`. */
  readonly bodyId: string;
  /** Message when the server cannot be reached. */
  readonly failed: string;
  /** Label of the button that restores the previous order. */
  readonly undo: string;
}

/** An order, and the row that is moved to get it. */
interface Move {
  readonly order: readonly string[];
  readonly movedId: string;
}

/** Makes rows draggable and movable by buttons without reloading, announces their new positions, and undoes the last. */
export default function SortableList({ bodyId, failed, undo }: SortableListProps) {
  const status = useSignal("");
  const problem = useSignal("");
  /** The move that undoes the last one. */
  const reverse = useSignal<Move | null>(null);
  const send = async (move: Move): Promise<boolean> => {
    status.value = problem.value = "";
    reverse.value = null;
    const fields = { action: "reorder", order: move.order.join(","), id: move.movedId };
    const outcome = await sendPageAction(new URLSearchParams(fields), failed);
    if (outcome.isDone) {
      status.value = outcome.flash;
      showNotes(outcome.result["notes"]);
    } else problem.value = Object.values(outcome.problems).join(" ");
    return outcome.isDone;
  };
  useEffect(() => {
    const body = document.getElementById(bodyId);
    if (body === null) return;
    return makeSortable(body, {
      onMoved: async ({ movedId, order, previous }) => {
        const isDone = await send({ order, movedId });
        if (isDone) reverse.value = { order: previous, movedId };
        return isDone;
      },
    });
  }, []);
  const restore = async (move: Move) => {
    const body = document.getElementById(bodyId);
    if (body === null || !await send(move)) return;
    orderRows(body, move.order);
    // The used button is gone, so the focus moves to the row.
    const row = movableRows(body).find((other) => idOf(other) === move.movedId);
    row?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  };
  const move = reverse.value;
  return (
    <div class="min-h-6 pt-2 text-small">
      <div class={status.value === "" ? "" : STATUS_BAR}>
        <p role="status" class="min-w-0 break-words empty:hidden">{status.value}</p>
        {move !== null && (
          <button type="button" class={WORD_BUTTON} onClick={() => void restore(move)}>{undo}</button>
        )}
      </div>
      <p role="alert" class="text-accent empty:hidden">{problem.value}</p>
    </div>
  );
}

/** Replaces the notes of each row by those of the new order, by the row's id. */
function showNotes(notes: unknown): void {
  if (typeof notes !== "object" || notes === null) return;
  for (const row of document.querySelectorAll<HTMLElement>("[data-notes]")) {
    const texts: unknown = Reflect.get(notes, row.dataset["notes"] ?? "");
    const lines = Array.isArray(texts) ? texts.map(String) : [];
    row.replaceChildren(...lines.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    }));
  }
}
