import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter, type Phrase } from "@/lib/ui/formatter.ts";

interface SelectRowsProps {
  /** Id of the form to which the checkboxes belong. */
  readonly formId: string;
  /** Name of the checkboxes. */
  readonly name: string;
  readonly label: string;
  readonly count: Phrase;
  readonly language: string;
}

/** Selects all rows of a page with one checkbox, and counts the selected ones. */
export default function SelectRows({ formId, name, label, count, language }: SelectRowsProps) {
  const isLive = useSignal(false);
  const selected = useSignal(0);
  const total = useSignal(0);
  useEffect(() => {
    const update = () => {
      const boxes = listBoxes(formId, name);
      total.value = boxes.length;
      selected.value = boxes.filter(({ checked }) => checked).length;
    };
    update();
    isLive.value = true;
    document.addEventListener("change", update);
    return () => document.removeEventListener("change", update);
  }, []);
  if (!isLive.value) return null;
  const selectAll = (checked: boolean) => {
    for (const box of listBoxes(formId, name)) box.checked = checked;
    selected.value = checked ? total.value : 0;
  };
  const formatter = createFormatter({ language, timeZone: "" });
  return (
    <>
      <label class="inline-flex min-h-8 items-center gap-2.5">
        <input
          type="checkbox"
          checked={selected.value === total.value}
          onChange={({ currentTarget }) => selectAll(currentTarget.checked)}
          class="size-5 flex-none accent-ink"
        />
        {label}
      </label>
      <span role="status" class="font-strong">
        {selected.value === 0 ? "" : formatter.t(count, { count: selected.value })}
      </span>
    </>
  );
}

function listBoxes(formId: string, name: string): HTMLInputElement[] {
  return [
    ...document.querySelectorAll<HTMLInputElement>(`tbody input[form="${formId}"][name="${name}"]:enabled`),
  ];
}
