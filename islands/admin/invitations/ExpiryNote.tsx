import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface ExpiryNoteProps {
  /** The server's time, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** Initial choice: minutes, "never" or "custom". */
  readonly first: string;
  readonly until: string;
  readonly never: string;
  readonly language: string;
  readonly timeZone: string;
}

const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = { minutes: 1, hours: 60, days: 1440, weeks: 10_080 };
/** The latest time that a date can represent. */
const LAST = 8.64e15;

/** Shows the date on which the chosen validity ends. */
export default function ExpiryNote({ now, first, until, never, language, timeZone }: ExpiryNoteProps) {
  const chosen = useSignal({ lasts: first, minutes: Number(first), passed: 0 });
  useEffect(() => {
    const form = document.getElementById("lasts")?.closest("form");
    if (!form) return;
    const offset = now - Date.now();
    const read = () => {
      const fields = new FormData(form);
      const lasts = String(fields.get("lasts"));
      const minutes = lasts === "custom"
        ? Number(fields.get("custom_number")) * (UNITS[String(fields.get("custom_unit"))] ?? 0)
        : Number(lasts);
      chosen.value = { lasts, minutes, passed: Date.now() + offset - now };
    };
    read();
    form.addEventListener("input", read);
    return () => form.removeEventListener("input", read);
  }, []);
  const { lasts, minutes, passed } = chosen.value;
  const end = now + passed + minutes * MINUTE_MS;
  const formatter = createFormatter({ language, timeZone });
  const isKnown = minutes > 0 && end < LAST;
  return (
    <span aria-live="polite">
      {lasts === "never" ? never : isKnown ? formatter.t(until, { moment: formatter.moment(end) }) : ""}
    </span>
  );
}
