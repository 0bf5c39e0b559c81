/** Query parameters of a page with charts; those without a value are left out. */
export type QueryValues = Readonly<Record<string, string | undefined>>;

/** Returns the address of the same page with this query, and optionally a fragment. */
export function pageQuery(values: QueryValues, part = ""): string {
  return `?${toQuery(values)}${part === "" ? "" : `#${part}`}`;
}

/** Writes query parameters as part of an address. */
export function toQuery(values: QueryValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "string" && value !== "") query.set(name, value);
  }
  return String(query);
}
