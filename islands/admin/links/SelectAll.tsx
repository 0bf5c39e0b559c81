import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter, type Phrase } from "@/lib/ui/formatter.ts";

interface SelectAllProps {
  /** Id of the form that the checkboxes belong to. */
  readonly form: string;
  readonly language: string;
  readonly messages: { readonly selectAll: string; readonly selected: Phrase };
}

/** Selects all links on the page and shows how many are selected; without JavaScript there is nothing. */
export default function SelectAll({ form, language, messages }: SelectAllProps) {
  const count = useSignal(0);
  const total = useSignal(-1);
  useEffect(() => {
    const refresh = () => {
      const boxes = listBoxes(form);
      total.value = boxes.length;
      count.value = boxes.filter(({ checked }) => checked).length;
    };
    refresh();
    document.addEventListener("change", refresh);
    return () => document.removeEventListener("change", refresh);
  }, [form]);
  const select = (isChecked: boolean) => {
    for (const box of listBoxes(form)) box.checked = isChecked;
    count.value = isChecked ? total.value : 0;
  };
  const formatter = createFormatter({ language, timeZone: "UTC" });
  return (
    <div class="flex flex-wrap items-center gap-x-5 noscript:hidden">
      <label class="flex min-h-9 items-center gap-2.5 text-small font-strong">
        <input
          type="checkbox"
          checked={count.value === total.value}
          onChange={(event) => select(event.currentTarget.checked)}
          class="size-5 flex-none accent-ink"
        />
        {messages.selectAll}
      </label>
      <span role="status" class="text-small text-soft">
        {formatter.t(messages.selected, { count: count.value })}
      </span>
    </div>
  );
}

function listBoxes(form: string): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>(`input[name="short"][form="${form}"]`)];
}
