import { useEffect } from "preact/hooks";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface CountdownsProps {
  /** The server's time, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** Text of an expired time. */
  readonly expired: string;
  readonly language: string;
}

const EVERY_MS = 15_000;

/** Updates the page's relative times and grays out expired rows. */
export default function Countdowns({ now, expired, language }: CountdownsProps) {
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
