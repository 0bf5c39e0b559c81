import { type Clock, systemClock } from "@/lib/core/clock.ts";

/** Width of the bar in characters. */
const BAR = 30;
/** Milliseconds between two states of the bar, and between two lines where the output is no terminal. */
const INTERVAL_MS = { terminal: 100, lines: 5000 } as const;
/** Milliseconds after which a command shows its progress on a terminal. */
const QUIET_MS = 1000;
const ERASE_LINE = "\r\x1b[K";

/** Stream that progress is written to, such as standard error. */
export interface ProgressOutput {
  isTerminal(): boolean;
  writeSync(bytes: Uint8Array): number;
}

interface ProgressWork {
  readonly label: string;
  /** Number of steps; null when it is not known. */
  readonly total: number | null;
  /** Unit of the steps, such as `MB`; none by default. */
  readonly unit?: string;
  /** Whether nothing is shown of work that is done within a second. */
  readonly isQuietAtFirst?: boolean;
}

export interface Progress {
  /** Counts steps that are done. */
  advance(steps: number): void;
  /** Shows the last state of progress that was shown; on a terminal, the bar disappears. */
  finish(): void;
}

/** Shows progress as a bar with rate and time left on a terminal, and as plain lines elsewhere. */
export function createProgress(output: ProgressOutput, clock: Clock, work: ProgressWork): Progress {
  const isTerminal = output.isTerminal();
  const interval = isTerminal ? INTERVAL_MS.terminal : INTERVAL_MS.lines;
  const started = clock.monotonic();
  const write = (text: string) => output.writeSync(new TextEncoder().encode(text));
  let done = 0;
  let isShown = false;
  let nextAt = started + (isTerminal ? QUIET_MS : interval);
  const show = () => {
    const state = formatProgress({ ...work, done, seconds: (clock.monotonic() - started) / 1000 });
    const bar = work.total === null ? "" : ` ${formatBar(done / work.total)}`;
    if (isTerminal) write(`${ERASE_LINE}${work.label}${bar} ${state}`);
    else write(`${work.label}: ${state}\n`);
    isShown = true;
    nextAt = clock.monotonic() + interval;
  };
  if (work.isQuietAtFirst !== true) show();
  return {
    advance(steps) {
      done += steps;
      if (clock.monotonic() >= nextAt) show();
    },
    finish() {
      if (!isShown) return;
      if (isTerminal) write(ERASE_LINE);
      else show();
    },
  };
}

/** Returns percentage, rate and time left, such as `45 %, 210/s, 12 s left`; without a total, what is done. */
export function formatProgress(
  { done, total, seconds, unit = "" }: Pick<ProgressWork, "total" | "unit"> & {
    readonly done: number;
    readonly seconds: number;
  },
): string {
  const rate = seconds > 0 ? done / seconds : 0;
  const amount = (count: number) => `${Math.round(count)}${unit === "" ? "" : ` ${unit}`}`;
  const state = total === null ? amount(done) : `${Math.floor((done / Math.max(1, total)) * 100)} %`;
  if (rate === 0) return state;
  const left = total === null ? "" : `, ${Math.ceil((total - done) / rate)} s left`;
  return `${state}, ${amount(rate)}/s${left}`;
}

function formatBar(share: number): string {
  const full = Math.round(BAR * Math.min(1, share));
  return `[${"#".repeat(full)}${".".repeat(BAR - full)}]`;
}

/** Bytes of a step of progress that is counted in megabytes. */
const MEGABYTE = 1_000_000;

/** Shows the progress of a command on standard error once it takes longer than a second. */
export function startProgress(work: Pick<ProgressWork, "label" | "total">): Progress {
  return createProgress(Deno.stderr, systemClock, { ...work, isQuietAtFirst: true });
}

/** Shows the progress of a command that reads or writes `total` bytes. */
export function startByteProgress(label: string, total: number | null): Progress {
  const work = { label, total: total === null ? null : total / MEGABYTE, unit: "MB", isQuietAtFirst: true };
  const { advance, finish } = createProgress(Deno.stderr, systemClock, work);
  return { advance: (bytes) => advance(bytes / MEGABYTE), finish };
}
