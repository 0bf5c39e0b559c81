import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";

/** Renders a button that selects the browser's time zone in a select field, if another one is selected. */
export default function DetectTimeZone({ fieldId }: { fieldId: string }) {
  const zone = useSignal("");
  useEffect(() => {
    const field = document.getElementById(fieldId);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (!(field instanceof HTMLSelectElement)) return;
    const isListed = [...field.options].some(({ value }) => value === timeZone);
    if (isListed && field.value !== timeZone) zone.value = timeZone;
  }, []);
  const select = () => {
    const field = document.getElementById(fieldId);
    if (field instanceof HTMLSelectElement) field.value = zone.value;
    zone.value = "";
    field?.focus();
  };
  if (zone.value === "") return null;
  return <button type="button" class={WORD_BUTTON} onClick={select}>Use {zone.value} of this browser</button>;
}
