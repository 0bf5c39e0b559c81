import { type Signal, useSignal } from "@preact/signals";
import { linesOf } from "@/lib/ui/permission_fields.ts";
import { type PeopleSearch, type PersonResult, usePeopleSearch } from "./search_people.ts";

/** State of a field for people that is a search. */
export interface PeopleFieldState extends Pick<PeopleSearch, "results"> {
  /** Lines of the people and groups that were chosen. */
  readonly lines: Signal<readonly string[]>;
  /** Text that is not chosen yet. */
  readonly typed: Signal<string>;
  /** Index of the result that Enter chooses. */
  readonly active: Signal<number>;
  readonly isOpen: Signal<boolean>;
  readonly type: (text: string) => void;
  readonly add: (lines: readonly string[]) => void;
  readonly remove: (line: string | undefined) => void;
}

/** Manages a field for people; its text in the form follows every change. */
export function usePeopleField(area: HTMLTextAreaElement, takesGroups: boolean): PeopleFieldState {
  const lines = useSignal(linesOf(area.value));
  const typed = useSignal("");
  const active = useSignal(0);
  const isOpen = useSignal(false);
  const { results, search } = usePeopleSearch(takesGroups);
  // Unfinished text is sent too; the server finds the person or offers those who match.
  const write = () => {
    area.value = [...lines.value, typed.value.trim()].filter((line) => line !== "").join("\n");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const type = (text: string) => {
    typed.value = text;
    active.value = 0;
    isOpen.value = true;
    search(text);
    write();
  };
  const add = (added: readonly string[]) => {
    lines.value = [...new Set([...lines.value, ...added])];
    type("");
  };
  const remove = (line: string | undefined) => {
    lines.value = lines.value.filter((one) => one !== line);
    write();
  };
  return { results, lines, typed, active, isOpen, type, add, remove };
}

/** Handles a key: arrows move among the results, Enter chooses, Escape closes, Backspace removes the last one. */
export function pressInPeopleField(field: PeopleFieldState, event: KeyboardEvent): void {
  const { results, lines, typed, active, isOpen } = field;
  const found: readonly PersonResult[] = isOpen.value ? results.value ?? [] : [];
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  const text = found[active.value]?.line ?? typed.value.trim();
  if (event.key === "Backspace" && typed.value === "") return field.remove(lines.value.at(-1));
  if (step !== 0 && found.length > 0) active.value = (active.value + step + found.length) % found.length;
  else if (event.key === "Enter" && text !== "") field.add([text]);
  else if (event.key === "Escape" && found.length > 0) isOpen.value = false;
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Handles pasted text of several lines: a single-line field would drop the line breaks between the names. */
export function pasteInPeopleField(field: PeopleFieldState, event: ClipboardEvent): void {
  const pasted = linesOf(event.clipboardData?.getData("text") ?? "");
  if (pasted.length < 2) return;
  event.preventDefault();
  field.add(pasted);
}
