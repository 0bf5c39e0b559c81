import type { ComponentChildren } from "preact";
import { FIELD_LABEL, QUIET_BUTTON, TEXT_FIELD } from "@/lib/ui/class_names.ts";
import { useAdmin } from "./admin_view.ts";
import { LIST_ID } from "./Table.tsx";
import { Link } from "../Link.tsx";
import FilterWhileTyping from "@/islands/admin/FilterWhileTyping.tsx";

interface FilterFormProps {
  /** Address of the unfiltered page; null if no filter is set. */
  readonly clearPath: string | null;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly button: string;
  readonly children: ComponentChildren;
}

/** Renders the filter of a list; its values become part of the page's address. */
export function FilterForm({ clearPath, hidden = {}, button, children }: FilterFormProps) {
  const { t } = useAdmin();
  return (
    <form
      role="search"
      id={LIST_ID}
      action={`#${LIST_ID}`}
      class="mb-4 scroll-mt-4 flex flex-wrap items-end gap-3"
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <button type="submit" class={QUIET_BUTTON}>{button}</button>
      <FilterWhileTyping formId={LIST_ID} />
      {clearPath !== null && (
        <Link class="link inline-flex min-h-11 items-center text-small" href={`${clearPath}#${LIST_ID}`}>
          {t("Clear")}
        </Link>
      )}
    </form>
  );
}

/** Look of a field as wide as its content; on phones such fields fill the line. */
const NARROW = "grid min-w-0 gap-y-1.5 max-sm:flex-auto";

interface FilterFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

/** Renders a field of a filter; the list follows a search while it is typed. */
export function FilterField(
  { name, label, value, type = "search" }: FilterFieldProps & { readonly type?: "search" | "text" | "date" },
) {
  return (
    <label class={type === "date" ? NARROW : `${NARROW} flex-[1_1_9rem] max-sm:basis-full sm:max-w-[20rem]`}>
      <span class={FIELD_LABEL}>{label}</span>
      <input
        type={type}
        name={name}
        defaultValue={value}
        dir="auto"
        autoComplete="off"
        class={TEXT_FIELD}
      />
    </label>
  );
}

/** Renders a select field of a filter; `choices` are labels by value. */
export function FilterSelect(
  { name, label, value, choices }: FilterFieldProps & {
    choices: Readonly<Record<string, string>> | ReadonlyMap<string, string>;
  },
) {
  const entries = choices instanceof Map ? [...choices] : Object.entries(choices);
  return (
    <label class={NARROW}>
      <span class={FIELD_LABEL}>{label}</span>
      <select name={name} class={TEXT_FIELD}>
        {entries.map(([choice, title]) => (
          <option key={choice} value={choice} selected={choice === value}>{title}</option>
        ))}
      </select>
    </label>
  );
}
