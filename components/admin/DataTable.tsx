import type { ComponentChildren } from "preact";
import { DragHandle, NoDragHandle } from "./DragHandle.tsx";
import { Link } from "../Link.tsx";

/** Id of the part of a page that holds a list with its search; sorting and searching keep it in view. */
export const LIST_ID = "list";

/** A column and its heading. */
export interface Column {
  readonly title: string;
  /** Address of the list sorted by this column; linked from the heading. */
  readonly sortPath?: string | undefined;
  readonly sorted?: "ascending" | "descending" | undefined;
  /** Aligns the cells at the end, for numbers and actions. */
  readonly isAtEnd?: boolean;
  /** Keeps the cells on one line, for roles and dates. */
  readonly isShort?: boolean;
  /** Leaves out the label on cards, for cells that explain themselves. */
  readonly isClear?: boolean;
  /** Gives the cell a line of its own on cards, for actions and long text. */
  readonly isWide?: boolean;
}

/** A row: its key, and its cells in the order of the columns. */
export interface Row {
  readonly id: string;
  readonly cells: readonly ComponentChildren[];
  readonly isFaint?: boolean;
  /** Whether the row can be moved in the list; it gets a drag handle. */
  readonly isMovable?: boolean;
}

interface DataTableProps {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Id of the rows' parent element, for islands that enhance them. */
  readonly bodyId?: string;
}

/** Renders a list as a table; on narrow screens each row becomes a card with labeled cells. */
export function DataTable({ caption, columns, rows, bodyId }: DataTableProps) {
  const hasHandles = rows.some(({ isMovable }) => isMovable);
  return (
    <div class="@container">
      <table class="w-full border-collapse @max-[48rem]:block">
        <caption class="sr-only">{caption}</caption>
        <HeaderRow columns={columns} />
        <tbody id={bodyId} class="@max-[48rem]:block">
          {rows.map((row) => (
            <tr
              key={row.id}
              id={bodyId === undefined ? undefined : `${bodyId}-${row.id}`}
              data-id={row.id}
              data-movable={row.isMovable ? "" : undefined}
              class={`border-b border-rule @max-[48rem]:flex @max-[48rem]:flex-wrap @max-[48rem]:items-baseline @max-[48rem]:gap-x-4 @max-[48rem]:gap-y-1 @max-[48rem]:py-3 ${
                row.isFaint ? "text-soft" : ""
              }`}
            >
              {row.cells.map((cell, at) => (
                <Cell key={at} column={columns[at]} isFirst={at === 0}>
                  {hasHandles && at === 0
                    ? <Handled isMovable={row.isMovable ?? false}>{cell}</Handled>
                    : cell}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders the content of a row's first cell beside its drag handle. */
function Handled({ isMovable, children }: { isMovable: boolean; children: ComponentChildren }) {
  return (
    <div class="flex min-w-0 items-center gap-x-2">
      {isMovable ? <DragHandle /> : <NoDragHandle />}
      <div class="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** Renders the headings; above cards only the sortable ones are visible. */
function HeaderRow({ columns }: { columns: readonly Column[] }) {
  const isSorted = columns.some(({ sortPath }) => sortPath !== undefined);
  return (
    <thead class={isSorted ? "@max-[48rem]:block" : "@max-[48rem]:sr-only"}>
      <tr class="border-b border-rule @max-[48rem]:flex @max-[48rem]:flex-wrap @max-[48rem]:gap-x-4">
        {columns.map((column) => (
          <th
            key={column.title}
            scope="col"
            aria-sort={column.sorted}
            class={`px-3 py-2 text-[0.82rem] font-medium text-soft first:ps-0 last:pe-0 @max-[48rem]:px-0 ${
              column.isAtEnd ? "text-end" : "text-start"
            } ${column.isShort ? "whitespace-nowrap" : ""} ${
              column.sortPath === undefined ? "@max-[48rem]:sr-only" : ""
            }`}
          >
            <ColumnTitle {...column} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Renders a heading, with an arrow on the one that the list is sorted by. */
function ColumnTitle({ title, sortPath, sorted }: Column) {
  if (sortPath === undefined) return <>{title}</>;
  return (
    <span class="whitespace-nowrap">
      <Link class="link inline-flex min-h-6 items-center" href={`${sortPath}#${LIST_ID}`}>{title}</Link>
      {sorted !== undefined && (
        <span aria-hidden="true" class="ms-1 text-tiny text-ink">{sorted === "ascending" ? "▲" : "▼"}</span>
      )}
    </span>
  );
}

interface CellProps {
  readonly column: Column | undefined;
  readonly isFirst: boolean;
  readonly children: ComponentChildren;
}

const CELL =
  "px-3 py-2.5 align-middle break-words [&_bdi]:wrap-anywhere first:ps-0 last:pe-0 @min-[48rem]:max-w-80 @min-[48rem]:first:max-w-136 @max-[48rem]:flex @max-[48rem]:max-w-full @max-[48rem]:flex-wrap @max-[48rem]:items-baseline @max-[48rem]:gap-x-2 @max-[48rem]:p-0 @max-[48rem]:wrap-anywhere";

function Cell({ column, isFirst, children }: CellProps) {
  const look = `${CELL} ${column?.isAtEnd ? "tabular-nums @min-[48rem]:text-end" : "text-start"} ${
    column?.isShort ? "@min-[48rem]:whitespace-nowrap" : ""
  } ${isFirst || column?.isWide ? "@max-[48rem]:w-full" : ""}`;
  if (isFirst) return <th scope="row" class={`${look} font-normal`}>{children}</th>;
  return (
    <td class={look}>
      {column?.isClear !== true && (
        <span class="text-tiny text-soft @min-[48rem]:hidden">{column?.title}</span>
      )}
      {children}
    </td>
  );
}
