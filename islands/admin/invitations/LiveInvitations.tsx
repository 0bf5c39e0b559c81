import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useCopy } from "@/lib/client/copy.ts";
import { STATUS_BAR } from "@/lib/ui/class_names.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface LiveInvitationsProps {
  /** The server's time, in milliseconds since 1970 UTC. */
  readonly now: number;
  readonly language: string;
  readonly messages: {
    readonly copied: string;
    /** Text of an expired time. */
    readonly expired: string;
  };
}

const EVERY_MS = 15_000;

/**
 * Makes every button with `data-copy` copy its text and announces the outcome, and updates the page's relative times.
 */
export default function LiveInvitations({ now, language, messages }: LiveInvitationsProps) {
  const { outcome, copy } = useCopy();
  useEffect(() => {
    const press = ({ target }: Event) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
      if (button !== null) return copy(button.dataset["copy"] ?? "", messages.copied);
    };
    // The browser's clock may be wrong.
    const offset = now - Date.now();
    const timer = setInterval(() => refreshTimes(Date.now() + offset, language, messages.expired), EVERY_MS);
    document.addEventListener("click", press);
    return () => {
      clearInterval(timer);
      document.removeEventListener("click", press);
    };
  }, []);
  return <p role="status" class={outcome.value === "" ? "sr-only" : STATUS_BAR}>{outcome.value}</p>;
}

/** Updates relative times, and grays out expired rows. */
function refreshTimes(time: number, language: string, expired: string): void {
  const formatter = createFormatter({ language, timeZone: "" });
  for (const element of document.querySelectorAll<HTMLElement>("time[data-moment]")) {
    const moment = Number(element.dataset["moment"]);
    const isOver = element.dataset["ends"] !== undefined && moment <= time;
    const text = isOver ? expired : formatter.distance(moment, time);
    if (element.textContent !== text) element.textContent = text;
    if (isOver) element.closest("tr")?.classList.add("text-soft", "opacity-70");
  }
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
