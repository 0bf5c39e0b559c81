import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sendPageAction } from "@/lib/client/page_action.ts";
import { makeSortable } from "@/lib/client/sortable.ts";
import { STATUS_BAR } from "@/lib/ui/class_names.ts";

interface SortableListProps {
  /** Id of the rows' parent; rows are its children with `data-id`. */
  readonly bodyId: string;
  /** Message when the server cannot be reached. */
  readonly failed: string;
}

/** Makes rows draggable and movable by buttons without reloading, and announces their new positions. */
export default function SortableList({ bodyId, failed }: SortableListProps) {
  const status = useSignal("");
  const problem = useSignal("");
  useEffect(() => {
    const body = document.getElementById(bodyId);
    if (body === null) return;
    return makeSortable(body, {
      onMoved: async (order, movedId) => {
        status.value = problem.value = "";
        const fields = new URLSearchParams({ action: "reorder", order: order.join(","), id: movedId });
        const outcome = await sendPageAction(fields, failed);
        if (outcome.isDone) status.value = outcome.flash;
        else problem.value = Object.values(outcome.problems).join(" ");
        return outcome.isDone;
      },
    });
  }, []);
  return (
    <div class="min-h-6 pt-2 text-small">
      <p role="status" class={status.value === "" ? "" : STATUS_BAR}>{status.value}</p>
      <p role="alert" class="text-accent">{problem.value}</p>
    </div>
  );
}
