/** Query parameters of a page; those without a value are left out. */
export type QueryValues = Readonly<Record<string, string | null | undefined>>;

/** Writes query parameters as part of an address. */
export function toQuery(values: QueryValues): string {
  const entries = Object.entries(values).flatMap(([name, value]) => value ? [[name, value]] : []);
  return String(new URLSearchParams(entries));
}

/** Returns the address of a page with a query. */
export function withQuery(path: string, values: QueryValues): string {
  const query = toQuery(values);
  return query === "" ? path : `${path}?${query}`;
}
