import { useEffect } from "preact/hooks";
import { createSpeech } from "@/lib/ui/speech.ts";

interface CountdownsProps {
  /** What the server's clock showed, in milliseconds since 1970 UTC. */
  readonly now: number;
  /** What is said of what has ended. */
  readonly expired: string;
  readonly language: string;
}

const EVERY_MS = 15_000;

/** Keeps the page's relative times right, and greys the row of what ended. */
export default function Countdowns({ now, expired, language }: CountdownsProps) {
  useEffect(() => {
    const speech = createSpeech({ language, timeZone: "" });
    // The browser's clock may be wrong.
    const offset = now - Date.now();
    const refresh = () => {
      const time = Date.now() + offset;
      for (const element of document.querySelectorAll<HTMLElement>("time[data-moment]")) {
        const moment = Number(element.dataset["moment"]);
        const isOver = element.dataset["ends"] !== undefined && moment <= time;
        const text = isOver ? expired : speech.distance(moment, time);
        if (element.textContent !== text) element.textContent = text;
        if (isOver) element.closest("tr")?.classList.add("text-soft", "opacity-70");
      }
    };
    const timer = setInterval(refresh, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return null;
}
