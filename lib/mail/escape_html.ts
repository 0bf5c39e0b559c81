/** Markup whose values are escaped already. */
export interface Html {
  readonly markup: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes every text put into the template; other templates, and lists of them, go in as they are. */
export function escapeHtml(
  fixed: TemplateStringsArray,
  ...values: (string | Html | readonly Html[])[]
): Html {
  const parts = fixed.map((part, at) => part + toMarkup(values[at] ?? ""));
  return { markup: parts.join("") };
}

function toMarkup(value: string | Html | readonly Html[]): string {
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}
