import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter, type Phrase } from "@/lib/ui/formatter.ts";

interface CharacterCountProps {
  /** Id of the field whose text is counted. */
  readonly fieldId: string;
  /** In code points. */
  readonly limit: number;
  readonly language: string;
  readonly left: Phrase;
  readonly over: Phrase;
}

/** Shows how many characters a field still takes, once only few are left. */
export default function CharacterCount({ fieldId, limit, language, left, over }: CharacterCountProps) {
  const rest = useSignal<number | null>(null);
  useEffect(() => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    const count = () => rest.value = limit - [...field.value].length;
    field.addEventListener("input", count);
    return () => field.removeEventListener("input", count);
  }, []);
  const formatter = createFormatter({ language, timeZone: "" });
  const isShown = rest.value !== null && rest.value <= limit / 4;
  const count = Math.abs(rest.value ?? 0);
  const isOver = (rest.value ?? 0) < 0;
  return (
    <span aria-live="polite" class={isOver ? "text-accent" : ""}>
      {isShown ? formatter.t(isOver ? over : left, { count }) : ""}
    </span>
  );
}
