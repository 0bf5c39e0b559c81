/** Returns the fields of a response together with their aliases. An alias never replaces a field. */
export function withAliases(fields: object, aliases: Readonly<Record<string, string>>): object {
  const named = new Map<string, unknown>(Object.entries(fields));
  const others = Object.entries(aliases).filter(([field, alias]) => named.has(field) && !named.has(alias));
  return { ...fields, ...Object.fromEntries(others.map(([field, alias]) => [alias, named.get(field)])) };
}
