/** Something that is found by text: a record, a page, a setting or a command. */
export interface FoundRecord {
  readonly path: string;
  readonly name: string;
  /** Kind of record, or the page that it is on. */
  readonly about: string;
  /** Fields of the form that a command sends to its path. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Maximum number of results of each kind. */
export const MAX_OF_KIND = 5;
/** Maximum length of a search text and of a shown URL, in UTF-16 code units. */
export const MAX_TEXT = 200;

/** Normalizes text for comparison: lower case without accents. */
export function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
