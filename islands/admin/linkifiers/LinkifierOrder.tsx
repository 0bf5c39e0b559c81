import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sendPageAction } from "@/lib/client/page_action.ts";
import { idOf, makeSortable, movableRows, orderRows } from "@/lib/client/sortable.ts";
import { STATUS_BAR, WORD_BUTTON } from "@/lib/ui/class_names.ts";

interface LinkifierOrderProps {
  /** Id of the rows' parent; rows have `data-id`, and their notes are in `data-notes`. */
  readonly bodyId: string;
  /** Message when the server cannot be reached. */
  readonly failed: string;
  readonly undo: string;
}

/** A move that can be undone: the previous order, and the moved linkifier. */
interface Move {
  readonly order: readonly string[];
  readonly movedId: string;
}

/** Makes linkifiers draggable and movable by buttons in place, with undo; keeps their notes current. */
export default function LinkifierOrder({ bodyId, failed, undo }: LinkifierOrderProps) {
  const { status, problem, last, send } = useMoves(failed);
  const order = useRef<readonly string[]>([]);
  useEffect(() => {
    const body = document.getElementById(bodyId);
    if (body === null) return;
    order.current = movableRows(body).map(idOf);
    return makeSortable(body, {
      onMoved: async (wanted, movedId) => {
        const before = order.current;
        const isDone = await send({ order: wanted, movedId });
        if (!isDone) return false;
        order.current = wanted;
        last.value = { order: before, movedId };
        return true;
      },
    });
  }, []);
  const takeBack = async (move: Move) => {
    const body = document.getElementById(bodyId);
    if (body === null || !await send(move)) return;
    order.current = move.order;
    orderRows(body, move.order);
    // The used button is gone, so the focus moves to the row.
    const row = movableRows(body).find((other) => idOf(other) === move.movedId);
    row?.querySelector<HTMLElement>("button:not(:disabled)")?.focus();
  };
  const move = last.value;
  return (
    <div class="min-h-6 text-small">
      <div class={status.value === "" ? "" : STATUS_BAR}>
        <p role="status" class="min-w-0 break-words empty:hidden">{status.value}</p>
        {move !== null && (
          <button type="button" class={WORD_BUTTON} onClick={() => void takeBack(move)}>{undo}</button>
        )}
      </div>
      <p role="alert" class="text-accent empty:hidden">{problem.value}</p>
    </div>
  );
}

/** Sends new orders and manages their messages and the move that can be undone. */
function useMoves(failed: string) {
  const status = useSignal("");
  const problem = useSignal("");
  const last = useSignal<Move | null>(null);
  const send = async ({ order, movedId }: Move): Promise<boolean> => {
    status.value = problem.value = "";
    last.value = null;
    const fields = { action: "reorder", order: order.join(","), id: movedId };
    const outcome = await sendPageAction(new URLSearchParams(fields), failed);
    if (!outcome.isDone) {
      problem.value = Object.values(outcome.problems).join(" ");
      return false;
    }
    status.value = outcome.flash;
    showNotes(outcome.result["notes"]);
    return true;
  };
  return { status, problem, last, send };
}

/** Replaces the notes of each row by those of the new order, by the row's id. */
function showNotes(notes: unknown): void {
  if (typeof notes !== "object" || notes === null) return;
  for (const place of document.querySelectorAll<HTMLElement>("[data-notes]")) {
    const texts: unknown = Reflect.get(notes, place.dataset["notes"] ?? "");
    const lines = Array.isArray(texts) ? texts.map(String) : [];
    place.replaceChildren(...lines.map((text) => {
      const line = document.createElement("p");
      line.textContent = text;
      return line;
    }));
  }
}
