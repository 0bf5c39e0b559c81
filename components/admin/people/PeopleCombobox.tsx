import {
  pasteInPeopleField,
  type PeopleFieldState,
  pressInPeopleField,
  usePeopleField,
} from "@/lib/client/people_field.ts";
import type { PersonResult } from "@/lib/client/search_people.ts";
import type { Formatter, Phrase } from "@/lib/ui/formatter.ts";
import { PersonPill } from "./PersonPill.tsx";
import { ResultList } from "./ResultList.tsx";

/** Text of a search for people. */
export interface ComboboxMessages {
  readonly remove: string;
  readonly noMatch: string;
  readonly matches: Phrase;
  readonly hint: string;
  readonly groupsHint: string;
}

interface PeopleComboboxProps {
  readonly inputId: string;
  /** Text with one person on each line, which the form sends. */
  readonly area: HTMLTextAreaElement;
  readonly takesGroups: boolean;
  readonly messages: ComboboxMessages;
  readonly formatter: Pick<Formatter, "t">;
}

const BOX =
  "relative flex min-h-11 cursor-text flex-wrap items-center gap-1.5 rounded-control border border-edge bg-paper px-2 py-1.5 has-[input:focus-visible]:outline-[2.5px] has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus";

/** A search for people and groups; the chosen ones become pills. Rendered in the browser only. */
export function PeopleCombobox(props: PeopleComboboxProps) {
  const { inputId, area, takesGroups, messages, formatter } = props;
  const field = usePeopleField(area, takesGroups);
  const shown = field.isOpen.value ? field.results.value : null;
  const focus = () => document.getElementById(inputId)?.focus();
  const remove = (line: string) => {
    // The pressed button disappears, so the field takes the focus.
    focus();
    field.remove(line);
  };
  return (
    <div class={BOX} onClick={focus}>
      <ul class="contents">
        {field.lines.value.map((line) => (
          <PersonPill key={line} line={line} messages={messages} formatter={formatter} onRemove={remove} />
        ))}
      </ul>
      <SearchInput {...props} field={field} count={shown?.length ?? 0} />
      <ResultList
        id={`${inputId}-list`}
        results={shown ?? []}
        active={field.active.value}
        onChoose={({ line }) => field.add([line])}
      />
      <ResultStatus shown={shown} messages={messages} formatter={formatter} />
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

interface ResultStatusProps extends Pick<PeopleComboboxProps, "messages" | "formatter"> {
  /** Null without a search. */
  readonly shown: readonly PersonResult[] | null;
}

/** Announces the number of results; shows it when there are none. */
function ResultStatus({ shown, messages, formatter }: ResultStatusProps) {
  const count = shown?.length ?? 0;
  const isEmpty = shown !== null && count === 0;
  return (
    <>
      <span role="status" class="sr-only">
        {shown === null ? "" : isEmpty ? messages.noMatch : formatter.t(messages.matches, { count })}
      </span>
      {isEmpty && <span aria-hidden="true" class="px-1 text-small text-soft">{messages.noMatch}</span>}
    </>
  );
}
