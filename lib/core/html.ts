import createParser from "markdown-it";

const { utils } = createParser();

/** Escapes `&`, `<`, `>` and `"` in a text, for an element or an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return utils.escapeHtml(text);
}

/** Markup in which all values are escaped. */
export interface Html {
  readonly markup: string;
}

/**
 * Template tag that escapes inserted text; attributes must be in double quotes. Other templates, and lists of
 * them, are inserted unchanged.
 */
export function toHtml(
  strings: TemplateStringsArray,
  ...values: (string | Html | readonly Html[])[]
): Html {
  const parts = strings.map((part, at) => part + toMarkup(values[at] ?? ""));
  return { markup: parts.join("") };
}

function toMarkup(value: string | Html | readonly Html[]): string {
  if (typeof value === "string") return escapeHtml(value);
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}
