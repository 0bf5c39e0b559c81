import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Figures, listenToFigures } from "@/lib/client/live_figures.ts";
import { createSpeech } from "@/lib/ui/speech.ts";

interface LiveCountProps {
  /** Where the figures are told. */
  readonly path: string;
  readonly figures: Figures;
  readonly language: string;
  readonly words: Readonly<
    Record<
      "urls" | "visits" | "today" | "todayHint" | "live" | "paused" | "lost" | "pause" | "resume",
      string
    >
  >;
}

const NAMES = ["urls", "visits", "today"] as const;

/**
 * The server's figures, kept up to date until somebody stops that. They are not announced: one who hears the page reads
 * them when he comes by.
 */
export default function LiveCount({ path, figures, language, words }: LiveCountProps) {
  const shown = useSignal(figures);
  const isPaused = useSignal(false);
  const isLost = useSignal(false);
  useEffect(() => {
    if (isPaused.value) return;
    return listenToFigures(path, {
      onFigures: (told) => shown.value = told,
      onLine: (isThere) => isLost.value = !isThere,
    });
  }, [isPaused.value]);
  const state = isPaused.value ? words.paused : isLost.value ? words.lost : words.live;
  return (
    <div class="mb-9">
      <FigureList figures={shown.value} language={language} words={words} />
      <p class="flex min-h-9 flex-wrap items-center gap-x-4 pt-1.5 text-small text-soft noscript:hidden">
        <span>{state}</span>
        <button
          type="button"
          class="link inline-flex min-h-8 cursor-pointer items-center font-medium text-ink"
          onClick={() => isPaused.value = !isPaused.value}
        >
          {isPaused.value ? words.resume : words.pause}
        </button>
      </p>
    </div>
  );
}

function FigureList({ figures, language, words }: Omit<LiveCountProps, "path">) {
  const speech = createSpeech({ language, timeZone: "UTC" });
  return (
    <dl class="grid gap-x-10 gap-y-5 border-y border-rule py-5 sm:grid-cols-3">
      {NAMES.map((name) => (
        <div key={name} class="grid content-start">
          <dt class="order-2 text-small text-soft">
            {words[name]}
            {name === "today" && <span class="block text-tiny">{words.todayHint}</span>}
          </dt>
          <dd
            class="order-1 font-serif text-[2.6rem] leading-tight tracking-[-0.02em] tabular-nums"
            data-figure={name}
          >
            {speech.number(figures[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
