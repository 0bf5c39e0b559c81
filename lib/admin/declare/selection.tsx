import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import SelectRows from "@/islands/admin/SelectRows.tsx";

/** Checkboxes by which rows of a table are selected for the form of a `SelectionBar`. */
export interface Selection<Item> {
  readonly formId: string;
  /** Name of the checkboxes. */
  readonly name: string;
  readonly toValue: (item: Item) => string;
  /** Returns the name of a row, for the label of its checkbox. */
  readonly toName: (item: Item) => string;
  readonly isSelected?: (item: Item) => boolean;
  readonly isDisabled?: (item: Item) => boolean;
}

interface SelectedCellProps<Item> {
  readonly of: Selection<Item>;
  readonly item: Item;
  readonly children: ComponentChildren;
}

/** Renders the first cell of a row beside its checkbox. */
export function SelectedCell<Item>({ of, item, children }: SelectedCellProps<Item>) {
  const { messages, formatter } = useAdmin();
  return (
    <div class="flex min-w-0 items-center gap-x-2.5">
      <input
        type="checkbox"
        name={of.name}
        form={of.formId}
        value={of.toValue(item)}
        defaultChecked={of.isSelected?.(item) ?? false}
        disabled={of.isDisabled?.(item) ?? false}
        autocomplete="off"
        aria-label={formatter.t(messages.common.select, { name: of.toName(item) })}
        class="size-5 flex-none accent-ink"
      />
      <div class="min-w-0 flex-1">{children}</div>
    </div>
  );
}

interface SelectionBarProps {
  readonly of: Pick<Selection<never>, "formId" | "name">;
  /** Sends a POST to the page; a form without it opens the page at `to`. */
  readonly method?: "post";
  readonly to?: string;
  /** Hidden fields by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** Fields and buttons. */
  readonly children: ComponentChildren;
}

/**
 * Renders the form for the selected rows, below the table in the same element: it counts them and stays in view while
 * any is selected.
 */
export function SelectionBar({ of: { formId, name }, method, to, hidden = {}, children }: SelectionBarProps) {
  const { messages: { common }, formatter } = useAdmin();
  return (
    <form id={formId} method={method} action={to} noValidate class="selection-bar">
      {Object.entries(hidden).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <SelectRows
        formId={formId}
        name={name}
        label={common.selectPage}
        count={common.selectedCount}
        language={formatter.language}
      />
      {children}
    </form>
  );
}
