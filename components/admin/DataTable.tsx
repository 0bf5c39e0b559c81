import type { ComponentChildren } from "preact";

/** A column: what stands above it. */
export interface Column {
  readonly title: string;
  /** For numbers and for what can be done. */
  readonly isAtEnd?: boolean;
  /** For what stays on one line: a role, a date. */
  readonly isShort?: boolean;
  /** Where the list is sorted by this column when its title is followed. */
  readonly sortPath?: string | undefined;
  readonly sorted?: "ascending" | "descending" | undefined;
}

/** A row: its cells in the order of the columns, and what it is found by. */
export interface Row {
  readonly id: string;
  readonly cells: readonly ComponentChildren[];
  readonly isFaint?: boolean;
}

interface DataTableProps {
  /** What the table lists; read aloud. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The id of the rows' parent, for islands that work on them. */
  readonly bodyId?: string;
}

/** A list as a table; where there is little room each row is a card whose cells say what they are. */
export function DataTable({ caption, columns, rows, bodyId }: DataTableProps) {
  return (
    <div class="@container">
      <table class="w-full border-collapse tabular-nums @max-[42rem]:block">
        <caption class="sr-only">{caption}</caption>
        <Titles columns={columns} />
        <tbody id={bodyId} class="@max-[42rem]:block">
          {rows.map((row) => (
            <tr
              key={row.id}
              id={bodyId === undefined ? undefined : `${bodyId}-${row.id}`}
              data-id={row.id}
              class={`border-b border-rule @max-[42rem]:block @max-[42rem]:py-3 ${
                row.isFaint ? "text-soft" : ""
              }`}
            >
              {row.cells.map((cell, at) => (
                <Cell key={at} column={columns[at]} isFirst={at === 0}>{cell}</Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The titles; above cards only those that sort are seen. */
function Titles({ columns }: { columns: readonly Column[] }) {
  const isSorted = columns.some(({ sortPath }) => sortPath !== undefined);
  return (
    <thead class={isSorted ? "@max-[42rem]:block" : "@max-[42rem]:sr-only"}>
      <tr class="border-b border-rule @max-[42rem]:flex @max-[42rem]:flex-wrap @max-[42rem]:gap-x-4">
        {columns.map(({ title, sortPath, sorted, isAtEnd, isShort }) => (
          <th
            key={title}
            scope="col"
            aria-sort={sorted}
            class={`px-3 py-2 text-[0.82rem] font-medium text-soft first:ps-0 last:pe-0 @max-[42rem]:px-0 ${
              isAtEnd ? "text-end" : "text-start"
            } ${isShort ? "whitespace-nowrap" : ""} ${sortPath === undefined ? "@max-[42rem]:sr-only" : ""}`}
          >
            {sortPath === undefined ? title : <a class="link" href={sortPath}>{title}</a>}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface CellProps {
  readonly column: Column | undefined;
  readonly isFirst: boolean;
  readonly children: ComponentChildren;
}

const CELL =
  "px-3 py-2.5 align-middle first:ps-0 last:pe-0 [&_bdi]:wrap-anywhere @max-[42rem]:flex @max-[42rem]:flex-wrap @max-[42rem]:items-baseline @max-[42rem]:gap-x-3 @max-[42rem]:px-0 @max-[42rem]:py-1 @max-[42rem]:wrap-anywhere";

function Cell({ column, isFirst, children }: CellProps) {
  const look = `${CELL} ${column?.isAtEnd ? "@min-[42rem]:text-end" : "text-start"} ${
    column?.isShort ? "@min-[42rem]:whitespace-nowrap" : ""
  }`;
  const title = <span class="text-tiny text-soft @min-[42rem]:hidden">{column?.title}</span>;
  return isFirst
    ? <th scope="row" class={`${look} font-normal`}>{children}</th>
    : <td class={look}>{title}{children}</td>;
}
