/** The fields of an answer, and those of them that have another name under that one as well; no field is replaced. */
export function withAliases(fields: object, aliases: Readonly<Record<string, string>>): object {
  const named = new Map<string, unknown>(Object.entries(fields));
  const others = Object.entries(aliases).filter(([field, alias]) => named.has(field) && !named.has(alias));
  return { ...fields, ...Object.fromEntries(others.map(([field, alias]) => [alias, named.get(field)])) };
}
