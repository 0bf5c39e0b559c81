import { type Signal, useSignal } from "@preact/signals";
import { type RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Speech } from "@/lib/ui/speech.ts";
import type { ChoiceActs } from "./ChoiceLine.tsx";
import {
  type ChoiceRow,
  movedRow,
  restored,
  sortedRows,
  type StoredChoice,
  withEmptyEnd,
} from "./choice_rows.ts";
import type { ChoiceWords } from "./choice_words.ts";

/** A row that is told apart from others whatever stands in it. */
export interface KnownRow extends ChoiceRow {
  readonly id: number;
}

/** The rows of an editor, and what becomes of them. */
export interface ChoiceList {
  readonly rows: Signal<readonly KnownRow[]>;
  /** What was done last, to be read aloud. */
  readonly said: Signal<string>;
  /** Where the row is that is being dragged. */
  readonly dragged: RefObject<number>;
  /** The editor; it tells its form of every change. */
  readonly host: RefObject<HTMLDivElement>;
  readonly nextId: () => number;
  /** Puts other rows in place; the first control of `focus` that can be used is the one to go on with. */
  readonly change: (rows: readonly KnownRow[], said?: string, focus?: readonly string[]) => void;
}

/** Keeps the rows of an editor, always with an empty one at the end. */
export function useChoices(first: readonly ChoiceRow[]): ChoiceList {
  const host = useRef<HTMLDivElement>(null);
  const dragged = useRef<number>(null);
  const focus = useRef<readonly string[] | null>(null);
  const last = useRef(first.length);
  const nextId = () => ++last.current;
  const said = useSignal("");
  const rows = useSignal<readonly KnownRow[]>(
    withEmptyEnd(first.map((row, id) => ({ ...row, id })), () => ({ id: first.length, key: "", text: "" })),
  );
  useEffect(() => {
    // Null until something is changed: what the server drew is no news.
    if (focus.current === null) return;
    const targets = focus.current.map((id) => document.getElementById(id));
    targets.find((target) => target?.matches(":enabled") === true)?.focus();
    focus.current = [];
    host.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [rows.value]);
  return {
    ...{ rows, said, dragged, host, nextId },
    change: (after, sentence = "", targets = []) => {
      rows.value = withEmptyEnd(after, () => ({ id: nextId(), key: "", text: "" }));
      said.value = sentence;
      focus.current = targets;
    },
  };
}

/** What can be done with single rows. */
export function choiceActs(
  { rows, said, dragged, change }: ChoiceList,
  words: ChoiceWords,
  speech: Speech,
): ChoiceActs {
  const nameAt = (at: number) => rows.value[at]?.text.trim() || speech.say(words.choice, { place: at + 1 });
  const placeOf = (name: string, at: number) => {
    const count = rows.value.filter(({ text }) => text.trim() !== "").length;
    return speech.say(words.moved, { name, place: at + 1, count });
  };
  return {
    type: (at, text) => change(rows.value.map((row, place) => place === at ? { ...row, text } : row)),
    enter: (at) => document.getElementById(`choice-${at + 1}`)?.focus(),
    move: (from, to) => {
      const [way, back] = to < from ? ["up", "down"] : ["down", "up"];
      const targets = [`choice-${to}-${way}`, `choice-${to}-${back}`];
      change(movedRow(rows.value, from, to), placeOf(nameAt(from), to), targets);
    },
    remove: (at) => {
      const sentence = speech.say(words.removed, { name: nameAt(at) });
      change(rows.value.toSpliced(at, 1), sentence, [`choice-${at}`]);
    },
    drag: (at) => {
      if (at === null && dragged.current !== null) {
        said.value = placeOf(nameAt(dragged.current), dragged.current);
      }
      dragged.current = at;
    },
    dragOver: (at) => {
      const from = dragged.current;
      if (from === null || at > rows.value.length - 2) return false;
      if (from !== at) change(movedRow(rows.value, from, at));
      dragged.current = at;
      return true;
    },
  };
}

/** What can be done with all rows together. */
export function listActs({ rows, nextId, change }: ChoiceList, words: ChoiceWords, speech: Speech) {
  return {
    add: () => document.getElementById(`choice-${rows.value.length - 1}`)?.focus(),
    sort: () => change(sortedRows(rows.value, speech.language), words.sorted),
    putBack: ({ key, text }: StoredChoice) =>
      change(restored(rows.value, { id: nextId(), key, text }), speech.say(words.isBack, { name: text })),
  };
}
