import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";

/** Renders a button that selects the browser's time zone in a select field, if another one is selected. */
export default function DetectTimeZone({ fieldId }: { fieldId: string }) {
  const zone = useSignal("");
  useEffect(() => {
    const field = document.getElementById(fieldId);
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (field instanceof HTMLSelectElement && (field.value || "UTC") !== timeZone) zone.value = timeZone;
  }, []);
  const select = () => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLSelectElement)) return;
    // Browsers name some zones by a former name, such as Asia/Calcutta, which is not in the list.
    const isListed = [...field.options].some(({ value }) => value === zone.value);
    if (!isListed) field.add(new Option(zone.value.replaceAll("_", " "), zone.value));
    field.value = zone.value;
    zone.value = "";
    field.focus();
  };
  if (zone.value === "") return null;
  return <button type="button" class={WORD_BUTTON} onClick={select}>Use {zone.value} of this browser</button>;
}
