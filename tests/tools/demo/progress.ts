import type { Clock } from "@/lib/core/clock.ts";

/** Width of the bar in characters. */
const BAR = 30;
/** Milliseconds between two states of the bar, and between two lines where the output is no terminal. */
const INTERVAL_MS = { terminal: 100, lines: 5000 } as const;
const ERASE_LINE = "\r\x1b[K";

/** Stream that progress is written to, such as standard error. */
export interface ProgressOutput {
  isTerminal(): boolean;
  writeSync(bytes: Uint8Array): number;
}

/** Progress of work whose number of steps is known. */
export interface Progress {
  /** Counts steps that are done. */
  advance(steps: number): void;
  /** Shows the last state; on a terminal, the bar disappears. */
  finish(): void;
}

/** Shows progress as a bar with rate and time left on a terminal, and as plain lines elsewhere. */
export function createProgress(
  output: ProgressOutput,
  clock: Clock,
  { label, total }: { readonly label: string; readonly total: number },
): Progress {
  const isTerminal = output.isTerminal();
  const interval = isTerminal ? INTERVAL_MS.terminal : INTERVAL_MS.lines;
  const started = clock.monotonic();
  const write = (text: string) => output.writeSync(new TextEncoder().encode(text));
  let done = 0;
  let shownAt = started;
  const show = () => {
    const state = formatProgress({ done, total, seconds: (clock.monotonic() - started) / 1000 });
    if (isTerminal) write(`${ERASE_LINE}${label} ${formatBar(done / total)} ${state}`);
    else write(`${label}: ${state}\n`);
    shownAt = clock.monotonic();
  };
  show();
  return {
    advance(steps) {
      done += steps;
      if (clock.monotonic() - shownAt >= interval) show();
    },
    finish() {
      if (isTerminal) write(ERASE_LINE);
      else show();
    },
  };
}

/** Returns percentage, rate and time left, such as `45 %, 210/s, 12 s left`. */
export function formatProgress(
  { done, total, seconds }: { readonly done: number; readonly total: number; readonly seconds: number },
): string {
  const percentage = `${Math.floor((done / Math.max(1, total)) * 100)} %`;
  if (done === 0 || seconds <= 0) return percentage;
  const rate = done / seconds;
  return `${percentage}, ${Math.round(rate)}/s, ${Math.ceil((total - done) / rate)} s left`;
}

function formatBar(share: number): string {
  const full = Math.round(BAR * Math.min(1, share));
  return `[${"#".repeat(full)}${".".repeat(BAR - full)}]`;
}
