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
    const isComplete = last?.key === "" && last.text.trim() === "";
    return (isComplete ? list : [...list, { key: "", text: "" }]).map((row) => ({
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
    targets.find((target) => target?.matches(":enabled"))?.focus();
    focus.current = [];
    host.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [rows.value]);
  const change = (after: readonly ChoiceRow[], sentence = "", targets: readonly string[] = []) => {
    rows.value = complete(after);
    status.value = sentence;
    focus.current = targets;
  };
  return {
    rows,
    status,
    host,
    run: (draft: string) => {
      if (draft === "add") return document.getElementById(`choice-${rows.value.length - 1}`)?.focus();
      const after = applyDraft(rows.value, draft, { language: formatter.language, stored });
      change(after, ...describe(draft, { before: rows.value, after }, { messages, formatter }));
    },
    type: (at: number, text: string) =>
      change(rows.value.map((row, position) => position === at ? { ...row, text } : row)),
  };
}

/** Returns what is announced after a draft action, and the elements of which the first enabled one takes the focus. */
function describe(
  draft: string,
  { before, after }: { before: readonly ChoiceRow[]; after: readonly ChoiceRow[] },
  { messages, formatter: { t } }: Omit<ChoiceEditorContext, "run">,
): [sentence: string, targets?: readonly string[]] {
  if (draft === "sort") return [messages.sorted];
  if (draft.startsWith("restore")) {
    return [t(messages.isBack, { name: after.find((row) => !before.includes(row))?.text ?? "" })];
  }
  const from = Number(draft.split(" ")[1]);
  const to = after.findIndex((row) => row === before[from]);
  const name = before[from]?.text.trim() || t(messages.choice, { place: from + 1 });
  if (to < 0) return [t(messages.removed, { name }), [`choice-${from}`]];
  const count = before.filter(({ text }) => text.trim() !== "").length;
  const ways = to < from ? ["up", "down"] : ["down", "up"];
  return [t(messages.moved, { name, place: to + 1, count }), ways.map((way) => `choice-${to}-${way}`)];
}
