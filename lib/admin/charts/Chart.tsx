import ChartReadout from "@/islands/admin/charts/ChartReadout.tsx";
import type { ChartPoint, TimeChart } from "./time_chart.ts";
import { CHART_HEIGHT, CHART_WIDTH, type ChartDrawing, drawChart } from "@/lib/ui/chart.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { BEFORE, type ChartLabels, useUtcDates } from "./chart_labels.ts";

interface ChartProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** One or two sentences that describe the line. */
  readonly description: string;
  readonly chart: TimeChart;
  readonly labels: ChartLabels;
}

/** Renders counts over time as a line chart; time runs from left to right in every language. */
export function Chart(props: ChartProps) {
  const { title, chart: { points, beforeCounts, unit }, labels } = props;
  const { t } = useAdmin();
  const dates = useUtcDates({ unit });
  const { scale = 1 } = labels;
  const drawing = drawChart(
    points.map(({ count }) => count / scale),
    beforeCounts.map((count) => count / scale),
  );
  const texts = points.map(({ start, count }, at) => {
    const earlier = beforeCounts[at];
    const point = t("{date}: {amount}.", { date: dates(start), amount: labels.amount(count) });
    return earlier === undefined ? point : `${point} ${t(BEFORE, { amount: labels.amount(earlier) })}`;
  });
  return (
    <div dir="ltr" class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-2">
      <div
        aria-hidden="true"
        class="-my-2 flex h-60 flex-col justify-between text-end text-tiny leading-4 text-soft tabular-nums"
      >
        {drawing.grid.map(({ value }) => <span key={value}>{labels.figure(value * scale)}</span>)}
      </div>
      <div class="relative">
        <Drawing {...props} drawing={drawing} />
        <ChartReadout label={`${title}. ${t("Read the chart with the arrow keys")}`} texts={texts} />
      </div>
      <div
        aria-hidden="true"
        class="col-start-2 mt-2 flex justify-between gap-x-3 text-tiny leading-4 text-soft"
      >
        {listMarks(points).map(({ start }) => <span key={start}>{dates(start)}</span>)}
      </div>
    </div>
  );
}

/** Returns the points that are named below the line: its ends, and its middle if there is room between them. */
function listMarks(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const last = points.length - 1;
  const marks = points.length > 4
    ? [0, Math.floor(points.length / 2), last]
    : [0, ...(last > 0 ? [last] : [])];
  return marks.map((at) => points[at]).filter((point) => point !== undefined);
}

function Drawing({ id, title, description, drawing }: ChartProps & { drawing: ChartDrawing }) {
  const { line, compared, peak, grid } = drawing;
  return (
    <svg
      viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-labelledby={`${id}-title ${id}-description`}
      class="h-56 w-full overflow-visible"
    >
      {/* Without a key, Fresh would put the title of the document in its place. */}
      <title key={`${id}-title`} id={`${id}-title`}>{title}</title>
      <desc id={`${id}-description`}>{description}</desc>
      {grid.map(({ y, value }) => (
        <path
          key={value}
          d={`M0 ${y}H${CHART_WIDTH}`}
          class={value === 0 ? "stroke-edge" : "stroke-rule"}
          stroke-width="1"
          vector-effect="non-scaling-stroke"
        />
      ))}
      {compared !== null && (
        <path
          d={compared}
          class="fill-none stroke-soft"
          stroke-width="1.5"
          stroke-dasharray="4 4"
          vector-effect="non-scaling-stroke"
        />
      )}
      <Stroke d={line} width={2.25} />
      {peak !== null && <Stroke d={`M${peak.x} ${peak.y}h0.01`} width={7} />}
    </svg>
  );
}

/** Renders a stroke whose width is in pixels, however the drawing is stretched. */
function Stroke({ d, width }: { d: string; width: number }) {
  return (
    <path
      d={d}
      class="fill-none stroke-accent"
      stroke-width={width}
      stroke-linejoin="round"
      stroke-linecap="round"
      vector-effect="non-scaling-stroke"
    />
  );
}
