/** Path of the profile field list. */
export const PAGE = "/admin/profile-fields";

/** Returns the values of a page's inputs with a name, in order. */
export function inputValues(html: string, name: string): string[] {
  return [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
    .filter((tag) => tag.includes(`name="${name}"`))
    .map((tag) => /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "");
}

/** Returns the revision of a form's data. */
export function revisionOf(html: string): string {
  return inputValues(html, "seen")[0] ?? "";
}

/** Returns the text of the element with an id; empty if there is none. */
export function textOf(html: string, id: string): string {
  return new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? "";
}
