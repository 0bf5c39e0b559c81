import type { FieldAlias } from "@/lib/config.ts";

/**
 * Returns the fields of a response together with their aliases, which have the value of the field or one of their
 * own. An alias never replaces a field.
 */
export function withAliases(fields: object, aliases: Readonly<Record<string, FieldAlias>>): object {
  const named = new Map<string, unknown>(Object.entries(fields));
  const others = Object.entries(aliases).filter(([field]) => named.has(field))
    .map(([field, alias]) =>
      typeof alias === "string" ? [alias, named.get(field)] as const : [alias.name, alias.value] as const
    )
    .filter(([name]) => !named.has(name));
  return { ...fields, ...Object.fromEntries(others) };
}
