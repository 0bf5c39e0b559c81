import { drawSparkline, SPARKLINE_HEIGHT, SPARKLINE_WIDTH } from "@/lib/ui/sparkline.ts";

interface SparklineProps {
  /** Text alternative. */
  readonly description: string;
  /** Values over equal steps, oldest first; null where none is known. */
  readonly values: readonly (number | null)[];
  /** Value at the lower edge. */
  readonly floor?: number;
}

/** Renders values over time as a small line; time runs from left to right in every language. */
export function Sparkline({ description, values, floor = 0 }: SparklineProps) {
  const { line, end } = drawSparkline(values, floor);
  return (
    <svg
      viewBox={`0 0 ${SPARKLINE_WIDTH} ${SPARKLINE_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={description}
      class="h-8 w-full overflow-visible fill-none stroke-accent forced-colors:stroke-[CanvasText]"
      stroke-linejoin="round"
      stroke-linecap="round"
    >
      <path
        d={`M0 ${SPARKLINE_HEIGHT}H${SPARKLINE_WIDTH}`}
        class="stroke-rule"
        stroke-width="1"
        vector-effect="non-scaling-stroke"
      />
      <path d={line} stroke-width="1.75" vector-effect="non-scaling-stroke" />
      {end !== null && <path d={end} stroke-width="5" vector-effect="non-scaling-stroke" />}
    </svg>
  );
}
