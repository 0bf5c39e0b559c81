/**
 * Returns an order in which one item has changed places with its neighbor; the same order when it has none
 * there.
 */
export function movedBy(order: readonly number[], id: number, step: -1 | 1): readonly number[] {
  const at = order.indexOf(id);
  const neighbour = order[at + step];
  if (at < 0 || neighbour === undefined) return order;
  return order.map((other) => other === id ? neighbour : other === neighbour ? id : other);
}
