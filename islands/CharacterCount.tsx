import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createSpeech, type Phrase } from "@/lib/ui/speech.ts";

interface CharacterCountProps {
  /** The id of the field whose text is counted. */
  readonly fieldId: string;
  /** In code points. */
  readonly limit: number;
  readonly language: string;
  readonly left: Phrase;
  readonly over: Phrase;
}

/** Says how many characters a field still takes, once that becomes few. */
export default function CharacterCount({ fieldId, limit, language, left, over }: CharacterCountProps) {
  const rest = useSignal<number | null>(null);
  useEffect(() => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    const count = () => rest.value = limit - [...field.value].length;
    field.addEventListener("input", count);
    return () => field.removeEventListener("input", count);
  }, []);
  const speech = createSpeech({ language, timeZone: "" });
  const isShown = rest.value !== null && rest.value <= limit / 4;
  const count = Math.abs(rest.value ?? 0);
  const isOver = (rest.value ?? 0) < 0;
  return (
    <span aria-live="polite" class={isOver ? "text-accent" : ""}>
      {isShown ? speech.say(isOver ? over : left, { count }) : ""}
    </span>
  );
}
