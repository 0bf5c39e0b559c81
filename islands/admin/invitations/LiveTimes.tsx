import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface LiveTimesProps {
  /** The server's time, in milliseconds since 1970 UTC. */
  readonly now: number;
  readonly language: string;
  /** Text of an expired time. */
  readonly expired: string;
}

const EVERY_MS = 15_000;

/** Updates the page's relative times, and grays out expired rows. */
export default function LiveTimes({ now, language, expired }: LiveTimesProps) {
  useEffect(() => {
    const formatter = createFormatter({ language, timeZone: "" });
    // The browser's clock may be wrong.
    const offset = now - Date.now();
    const refresh = () => {
      const time = Date.now() + offset;
      for (const element of document.querySelectorAll<HTMLElement>("time[data-moment]")) {
        const moment = Number(element.dataset["moment"]);
        const isOver = element.dataset["ends"] !== undefined && moment <= time;
        const text = isOver ? expired : formatter.distance(moment, time);
        if (element.textContent !== text) element.textContent = text;
        if (isOver) element.closest("tr")?.classList.add("text-soft", "opacity-70");
      }
    };
    const timer = setInterval(refresh, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}

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
/** Units of a validity period, in minutes. */
export const UNIT_MINUTES: ReadonlyMap<string, number> = new Map(
  Object.entries({ minutes: 1, hours: 60, days: 1440, weeks: 10_080 }),
);
/** The latest time that a date can represent. */
const LAST = 8.64e15;

/** Shows the date on which the chosen validity ends. */
export function ExpiryNote({ now, first, until, never, language, timeZone }: ExpiryNoteProps) {
  const chosen = useSignal({ lasts: first, minutes: Number(first), passed: 0 });
  useEffect(() => {
    const form = document.getElementById("lasts")?.closest("form");
    if (!form) return;
    const offset = now - Date.now();
    const read = () => {
      const fields = new FormData(form);
      const lasts = String(fields.get("lasts"));
      const minutes = lasts === "custom"
        ? Number(fields.get("custom_number")) * (UNIT_MINUTES.get(String(fields.get("custom_unit"))) ?? 0)
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
