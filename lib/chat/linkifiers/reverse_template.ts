/** A short text, or what is wrong with the template that should give it; `isOfPattern` for what its groups lack. */
export type ReverseExpansion =
  | { readonly text: string }
  | { readonly problem: string; readonly isOfPattern: boolean };

/**
 * The short text that a reverse template gives: `{name}` is a group, `{{` and `}}` are braces. A group without a value
 * is empty.
 */
export function expandReverseTemplate(
  template: string,
  { groups, values }: { groups: readonly string[]; values: ReadonlyMap<string, string> },
): ReverseExpansion {
  let text = "";
  for (const { 0: whole, 1: name } of template.matchAll(/\{\{|\}\}|\{([^}]*)\}|\{|[^{}]+|\}/g)) {
    if (whole === "{{" || whole === "}}") text += whole.charAt(0);
    else if (whole === "{") return invalid("missing '}' character.");
    else if (name === undefined) text += whole;
    else if (name === "") return invalid("empty field name.");
    else if (!groups.includes(name)) {
      const problem = `Group '${name}' in auto-conversion field is not present in linkifier pattern.`;
      return { problem, isOfPattern: true };
    } else text += values.get(name) ?? "";
  }
  return { text };
}

function invalid(what: string): ReverseExpansion {
  return { problem: `Invalid auto-conversion field: ${what}`, isOfPattern: false };
}
