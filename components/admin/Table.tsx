import type { ComponentChildren } from "preact";
import { Link } from "../Link.tsx";
import { ActionLabel } from "./ActionButton.tsx";
import { useAdmin } from "./admin_view.ts";

/** Id of the part of a page that holds a list with its search; sorting and searching keep it in view. */
export const LIST_ID = "list";

/** A column: its heading, and the cells below it. */
export interface Column<Item> {
  readonly title: string;
  readonly cell: (item: Item, at: number) => ComponentChildren;
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

/** Checkboxes by which rows of a table are selected for the form of a `SelectionBar`. */
export interface Selection<Item> {
  readonly formId: string;
  /** Name of the checkboxes. */
  readonly name: string;
  readonly toValue: (item: Item) => string;
  /** Returns the name of a row, for the label of its checkbox. */
  readonly toName: (item: Item) => string;
  readonly isSelected?: (item: Item) => boolean;
  readonly isDisabled?: (item: Item) => boolean;
}

export interface TableProps<Item> {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  /** Renders the actions of a row, in a last column. */
  readonly actions?: (item: Item, at: number) => ComponentChildren;
  /** Class names of the actions. */
  readonly actionsLook?: string;
  /** Key of a row; the item's id or position by default. */
  readonly keyOf?: (item: Item) => string;
  readonly isFaint?: (item: Item) => boolean;
  /** Whether the row can be moved in the list; it gets a drag handle. */
  readonly isMovable?: (item: Item) => boolean;
  /** Checkboxes of the rows; undefined for none. */
  readonly selection?: Selection<Item> | undefined;
  /** Id of the rows' parent element, for islands that enhance them. */
  readonly bodyId?: string;
}

/** Renders items as a table; on narrow screens each becomes a card with labeled cells. */
export function Table<Item extends object>(props: TableProps<Item>) {
  const { caption, items, actions, keyOf, isFaint, bodyId } = props;
  const { t } = useAdmin();
  const last = {
    ...{ title: t("Actions"), isAtEnd: true, isClear: true, isWide: true },
    cell: (item: Item, at: number) => <ActionCell look={props.actionsLook}>{actions?.(item, at)}</ActionCell>,
  };
  const columns = actions === undefined ? props.columns : [...props.columns, last];
  return (
    <div class="@container">
      <table class="w-full border-collapse @max-[48rem]:block">
        <caption class="sr-only">{caption}</caption>
        <HeaderRow columns={columns} />
        <tbody id={bodyId} class="@max-[48rem]:block">
          {items.map((item, at) => {
            const id = keyOf?.(item) ?? String("id" in item ? item.id : at);
            return (
              <tr
                key={id}
                id={bodyId === undefined ? undefined : `${bodyId}-${id}`}
                data-id={id}
                data-movable={props.isMovable?.(item) ? "" : undefined}
                class={`list-row ${isFaint?.(item) ? "text-soft" : ""}`}
              >
                {columns.map((column, index) => (
                  <Cell key={index} column={column} isFirst={index === 0}>
                    {index === 0
                      ? <Handled of={props} item={item}>{column.cell(item, at)}</Handled>
                      : column.cell(item, at)}
                  </Cell>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function ActionCell({ look, children }: { look: string | undefined; children: ComponentChildren }) {
  const label = <ActionLabel>{children}</ActionLabel>;
  return look === undefined ? label : <div class={look}>{label}</div>;
}

interface HandledProps<Item> {
  readonly of: Pick<TableProps<Item>, "items" | "isMovable" | "selection">;
  readonly item: Item;
  readonly children: ComponentChildren;
}

const HANDLE = "-my-2 h-11 w-7 shrink-0 items-center justify-center noscript:hidden";

/**
 * Renders the content of a row's first cell beside its checkbox and its drag handle, which appears when a script makes
 * the list sortable.
 */
function Handled<Item>({ of: { items, isMovable, selection }, item, children }: HandledProps<Item>) {
  const content = selection === undefined
    ? children
    : <SelectedCell of={selection} item={item}>{children}</SelectedCell>;
  if (isMovable === undefined || !items.some(isMovable)) return <>{content}</>;
  return (
    <div class="flex min-w-0 items-center gap-x-2">
      {isMovable(item)
        ? (
          <span
            data-handle
            aria-hidden="true"
            class={`${HANDLE} invisible inline-flex cursor-grab touch-none text-soft select-none in-data-sortable:visible hover:text-ink`}
          >
            <svg viewBox="0 0 10 16" class="h-4 w-2.5" fill="currentColor">
              {[2, 8].map((x) => [2, 8, 14].map((y) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.5" />))}
            </svg>
          </span>
        )
        : <span class={`${HANDLE} inline-block`} />}
      <div class="min-w-0 flex-1">{content}</div>
    </div>
  );
}

interface SelectedCellProps<Item> {
  readonly of: Selection<Item>;
  readonly item: Item;
  readonly children: ComponentChildren;
}

/** Renders the first cell of a row beside its checkbox. */
function SelectedCell<Item>({ of, item, children }: SelectedCellProps<Item>) {
  const { t } = useAdmin();
  return (
    <div class="flex min-w-0 items-center gap-x-2.5">
      <input
        type="checkbox"
        name={of.name}
        form={of.formId}
        value={of.toValue(item)}
        defaultChecked={of.isSelected?.(item) ?? false}
        disabled={of.isDisabled?.(item) ?? false}
        autocomplete="off"
        aria-label={t("Select {name}", { name: of.toName(item) })}
        class="size-5 flex-none accent-ink"
      />
      <div class="min-w-0 flex-1">{children}</div>
    </div>
  );
}

/** The heading of a column. */
type Heading = Omit<Column<never>, "cell">;

/** Renders the headings; above cards only the sortable ones are visible. */
function HeaderRow({ columns }: { columns: readonly Heading[] }) {
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
function ColumnTitle({ title, sortPath, sorted }: Heading) {
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
  readonly column: Heading;
  readonly isFirst: boolean;
  readonly children: ComponentChildren;
}

function Cell({ column, isFirst, children }: CellProps) {
  const look = `list-cell ${column.isAtEnd ? "tabular-nums @min-[48rem]:text-end" : "text-start"} ${
    column.isShort ? "@min-[48rem]:whitespace-nowrap" : ""
  } ${isFirst || column.isWide ? "@max-[48rem]:w-full" : ""}`;
  if (isFirst) return <th scope="row" class={`${look} font-normal`}>{children}</th>;
  return (
    <td class={look}>
      {column.isClear !== true && <span class="text-tiny text-soft @min-[48rem]:hidden">{column.title}</span>}
      {children}
    </td>
  );
}
