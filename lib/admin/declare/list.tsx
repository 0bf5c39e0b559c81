import type { ComponentChildren } from "preact";
import { ActionLabel } from "@/components/admin/ActionButton.tsx";
import { type Column, DataTable } from "@/components/admin/DataTable.tsx";
import { useAdmin } from "@/components/admin/admin_view.ts";

interface TableProps<Item> {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly items: readonly Item[];
  readonly columns: readonly (Column & { readonly cell: (item: Item) => ComponentChildren })[];
  /** Renders the actions of a row, in a last column. */
  readonly actions?: (item: Item, at: number) => ComponentChildren;
  /** Key of a row; the item's id by default. */
  readonly keyOf?: (item: Item) => string;
  readonly isFaint?: (item: Item) => boolean;
  /** Whether the row can be moved in the list. */
  readonly isMovable?: (item: Item) => boolean;
  /** Id of the rows' parent element, for islands that enhance them. */
  readonly bodyId?: string;
}

/** Renders items as a table; on narrow screens each becomes a card with labeled cells. */
export function Table<Item extends { readonly id?: number | string }>(
  { caption, items, columns, actions, keyOf, isFaint, isMovable, bodyId }: TableProps<Item>,
) {
  const { messages: { common } } = useAdmin();
  const rows = items.map((item, at) => ({
    id: keyOf?.(item) ?? String(item.id),
    isFaint: isFaint?.(item) ?? false,
    isMovable: isMovable?.(item) ?? false,
    cells: [
      ...columns.map(({ cell }) => cell(item)),
      ...(actions === undefined ? [] : [<ActionLabel key="actions">{actions(item, at)}</ActionLabel>]),
    ],
  }));
  const last = { title: common.actions, isAtEnd: true, isClear: true, isWide: true };
  return (
    <DataTable
      caption={caption}
      columns={actions === undefined ? columns : [...columns, last]}
      rows={rows}
      {...(bodyId === undefined ? {} : { bodyId })}
    />
  );
}
