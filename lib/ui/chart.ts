/** Line and grid of a chart in a box of CHART_WIDTH by CHART_HEIGHT units. */
export interface ChartDrawing {
  /** The `d` attribute of the line's path. */
  readonly line: string;
  /** The same for the counts to compare with, on the same scale; null without any. */
  readonly compared: string | null;
  /** Position of the greatest count. */
  readonly peak: { readonly x: number; readonly y: number } | null;
  /** Grid lines, highest first. */
  readonly grid: readonly { readonly y: number; readonly value: number }[];
}

/** Width of the drawing in units. */
export const CHART_WIDTH = 1000;
/** Height of the drawing in units. */
export const CHART_HEIGHT = 240;

/** Draws one or more counts as a line over equal steps, and others to compare with over the same steps. */
export function drawChart(counts: readonly number[], compared: readonly number[] = []): ChartDrawing {
  const top = roundUp(Math.max(1, ...counts, ...compared));
  const x = (at: number) => counts.length < 2 ? CHART_WIDTH / 2 : (at / (counts.length - 1)) * CHART_WIDTH;
  const y = (count: number) => CHART_HEIGHT - (count / top) * CHART_HEIGHT;
  // A single count has no line of its own, so its line crosses the box.
  const toLine = (values: readonly number[]) =>
    values.length < 2
      ? `M0 ${round(y(values[0] ?? 0))}H${CHART_WIDTH}`
      : `M${values.map((count, at) => `${round(x(at))} ${round(y(count))}`).join("L")}`;
  const most = Math.max(0, ...counts);
  const at = counts.indexOf(most);
  return {
    line: toLine(counts),
    compared: compared.length === 0 ? null : toLine(compared),
    peak: most > 0 ? { x: round(x(at)), y: round(y(most)) } : null,
    grid: gridOf(top).map((value) => ({ value, y: round(y(value)) })),
  };
}

/** Rounds up to the next of 1, 2, 4, 5, 8 and their multiples of ten: all of them halve or quarter well. */
function roundUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  const step = [1, 2, 4, 5, 6, 8, 10].find((factor) => factor * power >= count) ?? 10;
  return step * power;
}

/** Values of the grid lines, whole numbers only. */
function gridOf(top: number): number[] {
  const parts = top % 4 === 0 ? 4 : top % 2 === 0 ? 2 : top % 5 === 0 ? 5 : 1;
  return Array.from({ length: parts + 1 }, (_, at) => top - (at * top) / parts);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
