import type { Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { form, type PageForm, type Values } from "./form.tsx";

/** An item whose position can be changed. */
interface OrderedItem {
  readonly id: number;
  readonly name: string;
}

/** Specification of the forms of an ordered list. */
export interface OrderSpec {
  /** Lists the items in their order. */
  readonly list: (request: AdminRequest) => Promise<readonly OrderedItem[]>;
  /** Stores the order, which has every item. */
  readonly save: (request: AdminRequest, order: readonly number[]) => Promise<void>;
  /** Whether the page may show only some items, which then change positions among themselves. */
  readonly isPartial?: boolean;
  /** Returns the outcome; the new position of the moved item by default. */
  readonly done?: (request: AdminRequest, moved: OrderedItem) => Partial<Done> | Promise<Partial<Done>>;
}

/** Stores an order and reports the new position of the item that was moved. */
export async function putInOrder(
  spec: OrderSpec,
  request: AdminRequest,
  order: readonly number[],
  movedId: number | null,
): Promise<Done> {
  await spec.save(request, order);
  const moved = (await spec.list(request)).find(({ id }) => id === movedId);
  if (moved === undefined) return { flash: "" };
  const values = { name: moved.name, position: order.indexOf(moved.id) + 1, count: order.length };
  return {
    flash: request.t("{name} moved to position {position} of {count}.", values),
    ...await spec.done?.(request, moved),
  };
}

/** Declares the forms that move items: by one position, for `MoveButtons`, and all at once, for `SortableList`. */
export function orderForms(spec: OrderSpec): readonly PageForm<Values>[] {
  const listIds = async (request: AdminRequest) => (await spec.list(request)).map(({ id }) => id);
  const move = (action: string, step: -1 | 1) =>
    form<Values>({
      action,
      run: async (request, _, submitted) => {
        const id = submitted.int("id");
        return await putInOrder(spec, request, movedBy(await listIds(request), id ?? 0, step), id);
      },
    });
  const reorder = form<Values>({
    action: "reorder",
    run: async (request, _, submitted) => {
      const ids = await listIds(request);
      // Others may have been added or removed meanwhile.
      const shown = [...new Set(submitted.ints("order"))].filter((id) => ids.includes(id));
      const moved = new Set(shown);
      const next = shown.values();
      const order = spec.isPartial
        ? ids.map((id) => moved.has(id) ? next.next().value ?? id : id)
        : [...shown, ...ids.filter((id) => !moved.has(id))];
      return await putInOrder(spec, request, order, submitted.int("id"));
    },
  });
  return [move("move_up", -1), move("move_down", 1), reorder];
}

/** Returns an order in which an item has changed places with its neighbor, if it has one. */
function movedBy(order: readonly number[], id: number, step: -1 | 1): readonly number[] {
  const at = order.indexOf(id);
  const neighbor = order[at + step];
  if (at < 0 || neighbor === undefined) return order;
  return order.map((other) => other === id ? neighbor : other === neighbor ? id : other);
}
