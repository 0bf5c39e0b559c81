/** The expanded text, or what is wrong with the template; `isOfPattern` if the pattern lacks a group. */
export type ReverseExpansion =
  | { readonly text: string }
  | { readonly problem: string; readonly isOfPattern: boolean };

/**
 * Expands a reverse template: `{name}` is a group's value, empty without one; `{{` and `}}` are literal
 * braces.
 */
export function expandReverseTemplate(
  template: string,
  { groups, values }: { groups: readonly string[]; values: ReadonlyMap<string, string> },
): ReverseExpansion {
  let text = "";
  for (const { 0: whole, 1: name } of template.matchAll(/\{\{|\}\}|\{([^}]*)\}?|[^{}]+|\}/g)) {
    if (whole === "{{" || whole === "}}") text += whole.charAt(0);
    else if (name === undefined) text += whole;
    else if (!whole.endsWith("}")) return invalid("missing '}' character.");
    else if (name === "") return invalid("empty field name.");
    else if (!groups.includes(name)) {
      const problem = `Group '${name}' in auto-conversion field is not present in linkifier pattern.`;
      return { problem, isOfPattern: true };
    } else text += values.get(name) ?? "";
  }
  return { text };
}

function invalid(reason: string): ReverseExpansion {
  return { problem: `Invalid auto-conversion field: ${reason}`, isOfPattern: false };
}
