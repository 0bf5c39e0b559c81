import type { ComponentChildren } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { translate } from "@/lib/ui/translate.ts";
import type { Selection } from "@/components/admin/Table.tsx";
import SelectRows from "@/islands/admin/SelectRows.tsx";

const SELECTED = { one: "{count} selected", other: "{count} selected" };

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
  const { t, formatter: { language } } = useAdmin();
  return (
    <form id={formId} method={method} action={to} noValidate class="selection-bar">
      {Object.entries(hidden).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <SelectRows
        formId={formId}
        name={name}
        label={t("Select all on this page")}
        count={translate(language, SELECTED)}
        language={language}
      />
      {children}
    </form>
  );
}
