/** Query parameters of a statistics page. */
export interface QueryValues {
  readonly days?: string | undefined;
  readonly by?: string | undefined;
  readonly view?: string | undefined;
  readonly cursor?: string | undefined;
  readonly service?: string | undefined;
}

/** Returns the address of the same page with this query, and optionally a fragment. */
export function pageQuery(values: QueryValues, part = ""): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string" && value !== "") query.set(name, value);
  }
  return `?${query}${part === "" ? "" : `#${part}`}`;
}
