import { quantileOf, toMarkdownTable } from "../markdown_table.ts";

/** Intended maximum of the ratio of the large store to the small one. */
export const AIM = 1.5;

/** Values of one figure, measured on the small and on the large store. */
export interface Figure {
  readonly name: string;
  readonly unit: "ms" | "s" | "MiB";
  readonly small: readonly number[];
  readonly large: readonly number[];
  /** Values of the first call, which reads what later ones find in memory. */
  readonly firsts?: { readonly small: number; readonly large: number };
}

/** Returns the table of all figures; those beyond the aim are marked. */
export function toScaleTable(figures: readonly Figure[]): string {
  const columns = ["p50", "p99", "first"].flatMap((name) => [`small ${name}`, `large ${name}`]);
  return toMarkdownTable(["measured", ...columns, "ratio of p50", "above the aim"], figures.map(toRow));
}

function toRow(figure: Figure): string[] {
  const { name, unit, small, large, firsts } = figure;
  const ratio = ratioOf(figure);
  const last = (values: readonly number[]) => values.length < 2 ? NaN : quantileOf(values, 0.99);
  const values = [
    ...[quantileOf(small, 0.5), quantileOf(large, 0.5), last(small), last(large)],
    ...[firsts?.small ?? NaN, firsts?.large ?? NaN],
  ];
  const texts = values.map((value) => format(value, unit));
  return [name, ...texts, Number.isFinite(ratio) ? ratio.toFixed(2) : "", ratio > AIM ? "yes" : ""];
}

function ratioOf({ small, large }: Figure): number {
  return quantileOf(large, 0.5) / quantileOf(small, 0.5);
}

/** Returns a sentence about the figures whose ratio is above the aim. */
export function summarize(figures: readonly Figure[]): string {
  const above = figures.filter((figure) => ratioOf(figure) > AIM);
  return above.length === 0
    ? `All ${figures.length} figures are at most ${AIM} times those of the small store.`
    : `${above.length} of ${figures.length} figures are above ${AIM} times those of the small store.`;
}

function format(value: number, unit: string): string {
  return Number.isNaN(value) ? "" : `${value.toFixed(unit === "MiB" ? 0 : 1)} ${unit}`;
}
