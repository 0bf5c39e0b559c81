import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ChoiceEditorContext } from "./ChoiceRowEditor.tsx";
import { applyDraft, type ChoiceRow, type StoredChoice } from "./choice_rows.ts";

/** Keeps the rows of an editor, always with an empty one at the end. */
export function useChoices(
  first: readonly ChoiceRow[],
  stored: readonly StoredChoice[],
  { messages, formatter }: Omit<ChoiceEditorContext, "run">,
) {
  /** Element of the editor, which dispatches an event on every change. */
  const host = useRef<HTMLDivElement>(null);
  const focus = useRef<readonly string[] | null>(null);
  const lastId = useRef(0);
  const complete = (list: readonly ChoiceRow[]): readonly ChoiceRow[] => {
    const last = list.at(-1);
    const isOpen = last !== undefined && last.text.trim() === "" && last.key === "";
    return (isOpen ? list : [...list, { key: "", text: "" }]).map((row) => ({
      id: ++lastId.current,
      ...row,
    }));
  };
  const rows = useSignal(complete(first));
  /** Last action, announced to screen readers. */
  const status = useSignal("");
  useEffect(() => {
    // Null until the first change: the server's initial rows are not announced.
    if (focus.current === null) return;
    const targets = focus.current.map((id) => document.getElementById(id));
    targets.find((target) => target?.matches(":enabled") === true)?.focus();
    focus.current = [];
    host.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [rows.value]);
  const change = (after: readonly ChoiceRow[], sentence = "", targets: readonly string[] = []) => {
    rows.value = complete(after);
    status.value = sentence;
    focus.current = targets;
  };
  return {
    ...{ rows, status, host },
    run: (draft: string) => {
      if (draft === "add") document.getElementById(`choice-${rows.value.length - 1}`)?.focus();
      else {change(
          applyDraft(rows.value, draft, { language: formatter.language, stored }),
          ...describe(draft, rows.value, { stored, messages, formatter }),
        );}
    },
    type: (at: number, text: string) =>
      change(rows.value.map((row, position) => position === at ? { ...row, text } : row)),
  };
}

/** Returns what is announced after a draft action, and the elements of which the first enabled one takes the focus. */
function describe(
  draft: string,
  rows: readonly ChoiceRow[],
  { stored, messages, formatter: { t } }: Omit<ChoiceEditorContext, "run"> & {
    readonly stored: readonly StoredChoice[];
  },
): [sentence: string, targets?: readonly string[]] {
  const [command = "", ...values] = draft.split(" ");
  if (command === "sort") return [messages.sorted];
  if (command === "restore") {
    const name = stored.find(({ key }) => key === values.join(" "))?.text ?? "";
    return [t(messages.isBack, { name })];
  }
  const from = Number(values[0]);
  const name = rows[from]?.text.trim() || t(messages.choice, { place: from + 1 });
  if (command === "remove") return [t(messages.removed, { name }), [`choice-${from}`]];
  const to = command === "up" ? from - 1 : command === "down" ? from + 1 : Number(values[1]);
  const count = rows.filter(({ text }) => text.trim() !== "").length;
  const [way, back] = to < from ? ["up", "down"] : ["down", "up"];
  return [t(messages.moved, { name, place: to + 1, count }), [
    `choice-${to}-${way}`,
    `choice-${to}-${back}`,
  ]];
}
