import type { Key } from "@/lib/store/key.ts";

/** Maximum number of linkifiers of one organization; all of them are tried on every message. */
export const MAX_LINKIFIERS = 200;
/** Maximum length of a pattern, in code points. */
export const MAX_PATTERN = 1000;
/** Maximum length of a URL template, a reverse template and an example, in code points. */
export const MAX_TEMPLATE = 2000;
/** Maximum number of alternative URL templates of one linkifier. */
export const MAX_ALTERNATIVES = 20;
/** Maximum size of an organization's linkifiers in the store, in bytes: they are one record and one event. */
export const MAX_LINKIFIERS_BYTES = 60_000;

/** Fields of a linkifier that an administrator sets, each trimmed. */
export interface LinkifierFields {
  /** RE2 regular expression, which may have named groups. */
  readonly pattern: string;
  /** RFC 6570 URL template whose variables are the named groups. */
  readonly url_template: string;
  readonly example_input: string | null;
  /** Template that converts the groups of a pasted URL to the short text. */
  readonly reverse_template: string | null;
  /** Additional URL templates, used only for converting a URL to the short text. */
  readonly alternative_url_templates: readonly string[];
}

/** A pattern whose matches in messages and topics become links. */
export interface LinkifierRecord extends LinkifierFields {
  readonly id: number;
}

/** Keys of linkifiers in the store. */
export const linkifierKeys = {
  /** All linkifiers in order: one record, so that one check covers order, number and uniqueness. */
  all: (realmId: number): Key => [realmId, "linkifiers"],
};
