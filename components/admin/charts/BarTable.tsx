import type { ComponentChildren } from "preact";
import { DataTable } from "../DataTable.tsx";

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
    <DataTable
      caption={caption}
      columns={[
        { title: titles.name },
        { title: titles.bar, isClear: true, isWide: true },
        { title: titles.figure, isAtEnd: true, isShort: true },
      ]}
      rows={rows.map(({ id, name, count, figure }) => ({
        id,
        cells: [name, <Bar key="bar" share={count / most} />, figure],
      }))}
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
