/** Width of the drawing of a sparkline in units. */
export const SPARKLINE_WIDTH = 120;
/** Height of the drawing of a sparkline in units. */
export const SPARKLINE_HEIGHT = 28;

/** Line and last point of a sparkline in a box of SPARKLINE_WIDTH by SPARKLINE_HEIGHT units. */
interface SparklineDrawing {
  /** The `d` attribute of the line's path; unknown values are gaps. */
  readonly line: string;
  /** The same for the last value, if it is known. */
  readonly end: string | null;
}

/** Draws values over equal steps between `floor` and the greatest of them. */
export function drawSparkline(values: readonly (number | null)[], floor: number): SparklineDrawing {
  const top = Math.max(floor + 1, ...values.map((value) => value ?? 0));
  const x = (at: number) => round(at / Math.max(1, values.length - 1) * SPARKLINE_WIDTH);
  const y = (value: number) => round(SPARKLINE_HEIGHT * (1 - (value - floor) / (top - floor)));
  const points = values.map((value, at) => value === null ? null : `${x(at)} ${y(value)}`);
  const line = points.map((point, at) => {
    if (point === null) return "";
    if (at > 0 && points[at - 1] !== null) return `L${point}`;
    // A value between two gaps is a dot.
    return (points[at + 1] ?? null) === null ? `M${point}h0.01` : `M${point}`;
  });
  const last = points.at(-1) ?? null;
  return { line: line.join(""), end: last === null ? null : `M${last}h0.01` };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
