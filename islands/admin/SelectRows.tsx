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
  const boxes = useSignal<readonly boolean[] | null>(null);
  const listBoxes = () => [
    ...document.querySelectorAll<HTMLInputElement>(`tbody input[form=${formId}][name=${name}]:enabled`),
  ];
  useEffect(() => {
    const update = () => boxes.value = listBoxes().map(({ checked }) => checked);
    update();
    document.addEventListener("change", update);
    return () => document.removeEventListener("change", update);
  }, []);
  if (boxes.value === null) return null;
  const selected = boxes.value.filter(Boolean).length;
  const formatter = createFormatter({ language, timeZone: "" });
  return (
    <>
      <label class="inline-flex min-h-8 items-center gap-2.5">
        <input
          type="checkbox"
          checked={selected === boxes.value.length}
          onChange={({ currentTarget }) => {
            // The event reaches the document next.
            for (const box of listBoxes()) box.checked = currentTarget.checked;
          }}
          class="size-5 flex-none accent-ink"
        />
        {label}
      </label>
      <span role="status" class="font-strong">
        {selected === 0 ? "" : formatter.t(count, { count: selected })}
      </span>
    </>
  );
}
