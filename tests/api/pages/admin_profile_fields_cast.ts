/** The page of all profile fields. */
export const PAGE = "/admin/profile-fields";

/** What stands in the inputs of a name on a page, in their order. */
export function inputValues(html: string, name: string): string[] {
  return [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
    .filter((tag) => tag.includes(`name="${name}"`))
    .map((tag) => /\bvalue="([^"]*)"/.exec(tag)?.[1] ?? "");
}

/** The mark of what a form was drawn from. */
export function seenOn(html: string): string {
  return inputValues(html, "seen")[0] ?? "";
}

/** The text of the element with an id; empty where there is none. */
export function textOf(html: string, id: string): string {
  return new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(html)?.[1] ?? "";
}
