import { render } from "preact";
import {
  pasteInPeopleField,
  type PeopleFieldState,
  pressInPeopleField,
  usePeopleField,
} from "@/lib/client/people_field.ts";
import type { PersonResult } from "@/lib/client/search_people.ts";
import { createFormatter, type Formatter } from "@/lib/ui/formatter.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";

export type ComboboxMessages = Messages["permissions"]["searchPeople"];

interface PeopleComboboxProps {
  readonly inputId: string;
  /** Text with one person on each line, which the form sends. */
  readonly area: HTMLTextAreaElement;
  readonly takesGroups: boolean;
  readonly messages: ComboboxMessages;
  readonly t: Formatter["t"];
}

const BOX =
  "relative flex min-h-11 cursor-text flex-wrap items-center gap-1.5 rounded-control border border-edge bg-paper px-2 py-1.5 has-[input:focus-visible]:outline-[2.5px] has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus";

/** A search for people and groups; the chosen ones become pills. Rendered in the browser only. */
function PeopleCombobox({ inputId, area, takesGroups, messages, t }: PeopleComboboxProps) {
  const field = usePeopleField(area, takesGroups);
  const shown = field.isOpen.value ? field.results.value : null;
  const count = shown?.length ?? 0;
  const focus = () => document.getElementById(inputId)?.focus();
  return (
    <div class={BOX} onClick={focus}>
      <ul class="contents">
        {field.lines.value.map((line) => {
          const name = line.replace(/ \(\d+\)$/, "");
          return (
            <li
              key={line}
              class="inline-flex max-w-full items-center rounded-small bg-wash ps-2 text-small forced-colors:border"
            >
              <bdi class="min-w-0 break-words">{name}</bdi>
              <button
                type="button"
                aria-label={t(messages.remove, { name })}
                onClick={() => {
                  // The pressed button disappears, so the field takes the focus.
                  focus();
                  field.remove(line);
                }}
                class="min-h-7 min-w-7 flex-none cursor-pointer text-soft hover:text-ink"
              >
                ×
              </button>
            </li>
          );
        })}
      </ul>
      <SearchInput inputId={inputId} area={area} field={field} count={count} />
      <ResultList
        id={`${inputId}-list`}
        results={shown ?? []}
        active={field.active.value}
        onChoose={({ line }) => field.add([line])}
      />
      <span role="status" class="sr-only">
        {shown === null ? "" : count === 0 ? messages.noMatch : t(messages.matches, { count })}
      </span>
      {shown !== null && count === 0 && (
        <span aria-hidden="true" class="px-1 text-small text-soft">{messages.noMatch}</span>
      )}
    </div>
  );
}

type SearchInputProps = Pick<PeopleComboboxProps, "inputId" | "area"> & {
  readonly field: PeopleFieldState;
  /** Number of results shown. */
  readonly count: number;
};

function SearchInput({ inputId, area, field, count }: SearchInputProps) {
  const listId = `${inputId}-list`;
  return (
    <input
      id={inputId}
      type="text"
      role="combobox"
      dir="auto"
      autocomplete="off"
      spellcheck={false}
      aria-autocomplete="list"
      aria-expanded={count > 0}
      aria-controls={listId}
      aria-activedescendant={count > 0 ? `${listId}-${field.active.value}` : undefined}
      aria-invalid={area.getAttribute("aria-invalid") === "true"}
      aria-describedby={area.getAttribute("aria-describedby") ?? undefined}
      value={field.typed.value}
      onInput={({ currentTarget }) => field.type(currentTarget.value)}
      onKeyDown={(event) => pressInPeopleField(field, event)}
      onPaste={(event) => pasteInPeopleField(field, event)}
      onBlur={() => field.isOpen.value = false}
      class="min-h-8 min-w-[10rem] flex-1 bg-transparent px-1 outline-none"
    />
  );
}

interface ResultListProps {
  readonly id: string;
  readonly results: readonly PersonResult[];
  /** Index of the result that Enter chooses. */
  readonly active: number;
  readonly onChoose: (result: PersonResult) => void;
}

function ResultList({ id, results, active, onChoose }: ResultListProps) {
  return (
    <ul
      id={id}
      role="listbox"
      hidden={results.length === 0}
      class="absolute inset-x-0 top-full z-10 mt-1 max-h-72 overflow-y-auto rounded-control border border-edge bg-raised py-1 shadow-[0_0.5rem_1.5rem_rgb(0_0_0/0.15)]"
    >
      {results.map((result, at) => (
        <li
          key={result.line}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.stopPropagation();
            onChoose(result);
          }}
          class="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-3 px-3 py-1 hover:bg-wash aria-selected:bg-wash aria-selected:outline aria-selected:-outline-offset-1 aria-selected:outline-edge"
        >
          <bdi class="min-w-0 break-words font-medium">{result.name}</bdi>
          <bdi class="min-w-0 break-all text-small text-soft">{result.note}</bdi>
        </li>
      ))}
    </ul>
  );
}

/**
 * Puts a combobox in place of the text of a field for people. The text stays in the form and holds the value, in the
 * format that it has without a script.
 */
export function mountCombobox(
  field: HTMLElement,
  { language, messages }: { language: string; messages: ComboboxMessages },
): void {
  const area = field.querySelector("textarea");
  const label = field.querySelector("label");
  if (area === null || area.hidden) return;
  const inputId = `${area.id}-search`;
  const box = document.createElement("div");
  area.before(box);
  area.hidden = true;
  if (label !== null) label.htmlFor = inputId;
  const hint = field.querySelector<HTMLElement>(`[id="${area.id}-hint"]`);
  const takesGroups = field.dataset["people"] === "groups";
  if (hint !== null) hint.textContent = takesGroups ? messages.groupsHint : messages.hint;
  const hasFocus = document.activeElement === area;
  render(
    <PeopleCombobox
      inputId={inputId}
      area={area}
      takesGroups={takesGroups}
      messages={messages}
      t={createFormatter({ language, timeZone: "" }).t}
    />,
    box,
  );
  if (hasFocus) document.getElementById(inputId)?.focus();
}
