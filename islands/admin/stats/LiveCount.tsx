import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Figures, listenToFigures } from "@/lib/client/live_figures.ts";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface LiveCountProps {
  /** Path of the stream of figures. */
  readonly path: string;
  readonly figures: Figures;
  readonly language: string;
  readonly messages: Readonly<
    Record<"urls" | "visits" | "today" | "live" | "paused" | "lost" | "pause" | "resume", string>
  >;
}

const NAMES = ["urls", "visits", "today"] as const;

/**
 * Shows the server's figures and keeps them current until paused. They are not announced: screen reader users
 * read them when they want to.
 */
export default function LiveCount({ path, figures, language, messages }: LiveCountProps) {
  const shown = useSignal(figures);
  const isPaused = useSignal(false);
  const isLost = useSignal(false);
  useEffect(() => {
    if (isPaused.value) return;
    return listenToFigures(path, {
      // The stream closes only after the next paint: figures that arrive before are dropped.
      onFigures: (latest) => {
        if (!isPaused.value) shown.value = latest;
      },
      onLine: (isConnected) => isLost.value = !isConnected,
    });
  }, [isPaused.value]);
  const state = isPaused.value ? messages.paused : isLost.value ? messages.lost : messages.live;
  return (
    <div class="mb-9">
      <FigureList figures={shown.value} language={language} messages={messages} />
      <p class="flex min-h-9 flex-wrap items-center gap-x-4 pt-1.5 text-small text-soft noscript:hidden">
        <span>{state}</span>
        <button
          type="button"
          class="link inline-flex min-h-8 cursor-pointer items-center font-medium text-ink"
          onClick={() => isPaused.value = !isPaused.value}
        >
          {isPaused.value ? messages.resume : messages.pause}
        </button>
      </p>
    </div>
  );
}

function FigureList({ figures, language, messages }: Omit<LiveCountProps, "path">) {
  const formatter = createFormatter({ language, timeZone: "UTC" });
  return (
    <dl class="grid gap-x-10 gap-y-5 border-y border-rule py-5 sm:grid-cols-3">
      {NAMES.map((name) => (
        <div key={name} class="grid content-start">
          <dt class="order-2 text-small text-soft">{messages[name]}</dt>
          <dd
            class="order-1 font-serif text-[2.6rem] leading-tight tracking-[-0.02em] tabular-nums"
            data-figure={name}
          >
            {formatter.number(figures[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}
