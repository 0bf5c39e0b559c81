/** A record or setting found by text, as an option of the search dialog. */
export interface FoundRecord {
  readonly path: string;
  readonly name: string;
  /** Kind of record. */
  readonly about: string;
}

/** Maximum number of results of each kind. */
export const MAX_OF_KIND = 5;
/** Maximum length of a search text and of a shown URL, in UTF-16 code units. */
export const MAX_TEXT = 200;
