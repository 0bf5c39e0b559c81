import { type Signal, useSignal } from "@preact/signals";
import { type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Formatter } from "@/lib/ui/formatter.ts";
import type { ChoiceActions, ChoiceMessages } from "./ChoiceRowEditor.tsx";
import {
  type ChoiceRow,
  moveRow,
  restoreChoice,
  sortRows,
  type StoredChoice,
  withEmptyLastRow,
} from "./choice_rows.ts";

/** A row with an identity that is independent of its content. */
interface EditorRow extends ChoiceRow {
  readonly id: number;
}

/** Rows of an editor, and their state. */
interface ChoiceList {
  readonly rows: Signal<readonly EditorRow[]>;
  /** Last action, announced to screen readers. */
  readonly status: Signal<string>;
  /** Element of the editor, which dispatches an event on every change. */
  readonly host: RefObject<HTMLDivElement>;
  readonly nextId: () => number;
  /** Replaces the rows; the first enabled control of `focus` takes the focus. */
  readonly change: (rows: readonly EditorRow[], status?: string, focus?: readonly string[]) => void;
}

/** Keeps the rows of an editor, always with an empty one at the end. */
export function useChoices(first: readonly ChoiceRow[]): ChoiceList {
  const host = useRef<HTMLDivElement>(null);
  const focus = useRef<readonly string[] | null>(null);
  const last = useRef(first.length);
  const nextId = () => ++last.current;
  const status = useSignal("");
  const rows = useSignal<readonly EditorRow[]>(
    withEmptyLastRow(
      first.map((row, id) => ({ ...row, id })),
      () => ({ id: first.length, key: "", text: "" }),
    ),
  );
  useEffect(() => {
    // Null until the first change: the server's initial rows are not announced.
    if (focus.current === null) return;
    const targets = focus.current.map((id) => document.getElementById(id));
    targets.find((target) => target?.matches(":enabled") === true)?.focus();
    focus.current = [];
    host.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [rows.value]);
  return {
    ...{ rows, status, host, nextId },
    change: (after, sentence = "", targets = []) => {
      rows.value = withEmptyLastRow(after, () => ({ id: nextId(), key: "", text: "" }));
      status.value = sentence;
      focus.current = targets;
    },
  };
}

/** Returns the actions on single rows. */
export function createChoiceActions(
  { rows, change }: ChoiceList,
  messages: ChoiceMessages,
  formatter: Formatter,
): ChoiceActions {
  const nameAt = (at: number) =>
    rows.value[at]?.text.trim() || formatter.t(messages.choice, { place: at + 1 });
  const placeOf = (name: string, at: number) => {
    const count = rows.value.filter(({ text }) => text.trim() !== "").length;
    return formatter.t(messages.moved, { name, place: at + 1, count });
  };
  return {
    type: (at, text) => change(rows.value.map((row, place) => place === at ? { ...row, text } : row)),
    enter: (at) => document.getElementById(`choice-${at + 1}`)?.focus(),
    move: (from, to) => {
      const [way, back] = to < from ? ["up", "down"] : ["down", "up"];
      const targets = [`choice-${to}-${way}`, `choice-${to}-${back}`];
      change(moveRow(rows.value, from, to), placeOf(nameAt(from), to), targets);
    },
    remove: (at) => {
      const sentence = formatter.t(messages.removed, { name: nameAt(at) });
      change(rows.value.toSpliced(at, 1), sentence, [`choice-${at}`]);
    },
  };
}

/** Returns the actions on all rows. */
export function createListActions(
  { rows, nextId, change }: ChoiceList,
  messages: ChoiceMessages,
  formatter: Formatter,
) {
  return {
    add: () => document.getElementById(`choice-${rows.value.length - 1}`)?.focus(),
    sort: () => change(sortRows(rows.value, formatter.language), messages.sorted),
    putBack: ({ key, text }: StoredChoice) =>
      change(
        restoreChoice(rows.value, { id: nextId(), key, text }),
        formatter.t(messages.isBack, { name: text }),
      ),
  };
}
