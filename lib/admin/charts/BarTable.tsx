import type { ComponentChildren } from "preact";
import { drawSparkline, SPARKLINE_HEIGHT, SPARKLINE_WIDTH } from "@/lib/ui/sparkline.ts";
import { Table } from "@/components/admin/Table.tsx";
import { type QueryValues, toQuery } from "@/lib/admin/query.ts";
import { Link } from "@/components/Link.tsx";

/** A row with its figure. */
interface BarRow {
  readonly id: string;
  readonly name: ComponentChildren;
  readonly count: number;
  /** The figure as text. */
  readonly figure: string;
}

interface BarTableProps {
  readonly caption: string;
  readonly titles: { readonly name: string; readonly bar: string; readonly figure: string };
  readonly rows: readonly BarRow[];
}

const WIDTH = 100;

/** Renders figures as a table with a bar in each row; the longest bar fills its column. */
export function BarTable({ caption, titles, rows }: BarTableProps) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <Table
      caption={caption}
      items={rows}
      columns={[
        { title: titles.name, cell: ({ name }) => name },
        { title: titles.bar, isClear: true, isWide: true, cell: ({ count }) => <Bar share={count / most} /> },
        { title: titles.figure, isAtEnd: true, isShort: true, cell: ({ figure }) => figure },
      ]}
    />
  );
}

function Bar({ share }: { share: number }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} 8`}
      preserveAspectRatio="none"
      aria-hidden="true"
      class="block h-2 w-full min-w-24 rtl:-scale-x-100"
    >
      <rect width={WIDTH} height="8" class="fill-rule forced-colors:fill-[Canvas]" />
      <rect width={Math.round(share * WIDTH * 100) / 100} height="8" class="fill-accent" />
    </svg>
  );
}

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

interface ChoicesProps {
  /** Accessible name. */
  readonly label: string;
  readonly links: readonly {
    readonly name: string;
    readonly path: string;
    readonly isChosen: boolean;
    readonly period?: string;
  }[];
}

/** Renders links to the same page with other choices. */
export function Choices({ label, links }: ChoicesProps) {
  return (
    <nav aria-label={label}>
      <ul class="flex flex-wrap gap-x-4">
        {links.map(({ name, path, isChosen, period }) => (
          <li key={path}>
            <Link
              href={path}
              data-period={period}
              aria-current={isChosen ? "true" : undefined}
              class="inline-flex min-h-9 items-center border-y-2 border-transparent text-small text-soft hover:text-ink aria-[current=true]:border-b-accent forced-colors:border-[Canvas] forced-colors:aria-[current=true]:border-b-[CanvasText] aria-[current=true]:font-strong aria-[current=true]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Returns the address of a part of the same page with this query. */
export function pageQuery(values: QueryValues, part: string): string {
  return `?${toQuery(values)}#${part}`;
}
