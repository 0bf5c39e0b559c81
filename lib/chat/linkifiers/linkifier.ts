import type { Key } from "@/lib/kv/key.ts";

/** Linkifiers of one organization at most: all of them are tried on every message. */
export const MAX_LINKIFIERS = 200;
/** The longest pattern, in code points. */
export const MAX_PATTERN = 1000;
/** The longest template of an address or of a text, and the longest example, in code points. */
export const MAX_TEMPLATE = 2000;
/** Alternative templates of one linkifier at most. */
export const MAX_ALTERNATIVES = 20;
/** What all linkifiers of an organization may take, in bytes of the store: they are one record, and one event. */
export const MAX_LINKIFIERS_BYTES = 60_000;

/** What an administrator decides about a linkifier; everything without blanks around it. */
export interface LinkifierFields {
  /** An expression of RE2, which may have named groups. */
  readonly pattern: string;
  /** A template of RFC 6570 over the groups. */
  readonly url_template: string;
  readonly example_input: string | null;
  /** Makes the short text out of the groups, for addresses that are pasted. */
  readonly reverse_template: string | null;
  /** Further forms of the address, for the way back alone. */
  readonly alternative_url_templates: readonly string[];
}

/** A pattern that becomes a link wherever it stands in a message or a topic. */
export interface LinkifierRecord extends LinkifierFields {
  readonly id: number;
}

/** Where linkifiers lie in the store. */
export const linkifierKeys = {
  /** All linkifiers in their order: one record, so that one check covers order, number and uniqueness. */
  all: (realmId: number): Key => [realmId, "linkifiers"],
  /** A number that grows with every change of them. */
  version: (realmId: number): Key => [realmId, "linkifiers_version"],
};
