import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter, type Phrase } from "@/lib/ui/formatter.ts";

interface SelectRowsProps {
  /** Id of the form with the checkboxes. */
  readonly formId: string;
  readonly label: string;
  readonly count: Phrase;
  readonly language: string;
}

/** Selects all rows of a page with one checkbox, and counts the selected ones. */
export default function SelectRows({ formId, label, count, language }: SelectRowsProps) {
  const isLive = useSignal(false);
  const selected = useSignal(0);
  const total = useSignal(0);
  useEffect(() => {
    const form = document.getElementById(formId);
    const update = () => {
      const boxes = boxesOf(formId);
      total.value = boxes.length;
      selected.value = boxes.filter(({ checked }) => checked).length;
    };
    update();
    isLive.value = true;
    form?.addEventListener("change", update);
    return () => form?.removeEventListener("change", update);
  }, []);
  if (!isLive.value) return null;
  const selectAll = (checked: boolean) => {
    for (const box of boxesOf(formId)) box.checked = checked;
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
      <span role="status" class="text-soft">
        {selected.value === 0 ? "" : formatter.t(count, { count: selected.value })}
      </span>
    </>
  );
}

function boxesOf(formId: string): HTMLInputElement[] {
  const found = document.querySelectorAll<HTMLInputElement>(`#${formId} input[name=user]`);
  return [...found];
}
