import { quantileOf, toMarkdownTable } from "../markdown_table.ts";

/** State of the server's process at a moment. */
export interface Sample {
  /** Milliseconds since the load began. */
  readonly at: number;
  /** Resident memory in bytes. */
  readonly memory: number;
  /** Number of open files and connections. */
  readonly files: number;
  /** Size of the store's file, and of its log of writes, in bytes. */
  readonly store: number;
  readonly wal: number;
}

/** An answered or failed request. */
export interface Answer {
  readonly kind: string;
  /** Milliseconds since the load began when the answer had arrived. */
  readonly at: number;
  /** Duration in milliseconds. */
  readonly ms: number;
  readonly isError: boolean;
}

/** Samples and answers of a load. */
export interface Observed {
  readonly samples: readonly Sample[];
  readonly answers: readonly Answer[];
  /** Duration of the load in milliseconds. */
  readonly durationMs: number;
}

/** Change over the second half, relative to the mean, up to which a figure counts as flat. */
const FLAT = { state: 0.05, duration: 0.25 } as const;
const SLICES = 10;
const MIB = 1024 * 1024;
const FIGURES = [
  { name: "memory", unit: MIB, label: "resident memory, MiB" },
  { name: "files", unit: 1, label: "open files" },
  { name: "store", unit: MIB, label: "store, MiB" },
  { name: "wal", unit: MIB, label: "-wal, MiB" },
] as const;

/** Returns the change of values over their whole range, by the line through them, relative to their mean. */
export function relativeChange(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last || meanY === 0) return 0;
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  return slope * (last[0] - first[0]) / meanY;
}

/** Returns the table of the states and errors by slices of time. */
export function toSliceTable({ samples, answers, durationMs }: Observed): string {
  const rows = listSlices(durationMs).map(({ from, to }) => {
    const own = samples.filter(({ at }) => at >= from && at < to);
    const answered = answers.filter(({ at }) => at >= from && at < to);
    const medians = FIGURES.map(({ name, unit }) =>
      format(quantileOf(own.map((one) => one[name]), 0.5) / unit, 0)
    );
    const errors = answered.filter(({ isError }) => isError).length;
    return [`${toMinutes(from)} – ${toMinutes(to)}`, ...medians, String(answered.length), String(errors)];
  });
  const headings = ["minutes", ...FIGURES.map(({ label }) => label), "answers", "errors"];
  return toMarkdownTable(headings, rows);
}

/** Returns the table of durations by kind and slices of time, as `p50 / p99` in milliseconds. */
export function toDurationTable({ answers, durationMs }: Observed): string {
  const slices = listSlices(durationMs);
  const rows = [...Map.groupBy(answers, ({ kind }) => kind)].map(([kind, own]) => [
    kind,
    ...slices.map(({ from, to }) => {
      const times = own.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
      return times.length === 0
        ? ""
        : `${format(quantileOf(times, 0.5), 1)} / ${format(quantileOf(times, 0.99), 0)}`;
    }),
  ]);
  return toMarkdownTable(["p50 / p99 in ms", ...slices.map(({ from }) => `from ${toMinutes(from)}`)], rows);
}

/** Returns a line for each figure that says whether it is flat over the second half. */
export function listVerdicts(observed: Observed): string[] {
  const { samples, answers, durationMs } = observed;
  const half = durationMs / 2;
  const late = samples.filter(({ at }) => at >= half);
  const slices = listSlices(durationMs).filter(({ from }) => from >= half);
  const states = FIGURES.filter(({ name }) => name !== "store").map(({ name, label }) =>
    toVerdict(label, relativeChange(late.map((sample) => [sample.at, sample[name]])), FLAT.state)
  );
  // The store keeps what the load writes, so it is its growth that should not change.
  states.push(toVerdict("growth of the store", relativeChange(listGrowth(samples, slices)), FLAT.duration));
  const durations = [...Map.groupBy(answers, ({ kind }) => kind)].flatMap(([kind, own]) =>
    [0.5, 0.99].map((share) => {
      const points = slices.flatMap(({ from, to }): [number, number][] => {
        const times = own.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms);
        return times.length === 0 ? [] : [[from, quantileOf(times, share)]];
      });
      return toVerdict(`${kind}, p${share * 100}`, relativeChange(points), FLAT.duration);
    })
  );
  const errors = answers.filter(({ isError }) => isError).length;
  return [...states, ...durations, `errors: ${errors} of ${answers.length} requests`];
}

/** Returns by how many bytes the store grew in each slice of time. */
function listGrowth(samples: readonly Sample[], slices: readonly Slice[]): [number, number][] {
  return slices.flatMap(({ from, to }): [number, number][] => {
    const own = samples.filter(({ at }) => at >= from && at < to);
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? [] : [[from, last.store - first.store]];
  });
}

function toVerdict(label: string, change: number, limit: number): string {
  const percent = `${change < 0 ? "−" : "+"}${
    Math.abs(change * 100).toFixed(1)
  } % of its mean over the second half`;
  const verdict = Math.abs(change) <= limit ? "flat" : change > 0 ? "RISES" : "falls";
  return `${label}: ${verdict} (${percent})`;
}

/** A part of the time of the load, in milliseconds since it began. */
interface Slice {
  readonly from: number;
  readonly to: number;
}

function listSlices(durationMs: number): Slice[] {
  const length = durationMs / SLICES;
  return Array.from({ length: SLICES }, (_, at) => ({ from: at * length, to: (at + 1) * length }));
}

function format(value: number, digits: number): string {
  return Number.isNaN(value) ? "" : value.toFixed(digits);
}

function toMinutes(ms: number): string {
  return (ms / 60_000).toFixed(1);
}
