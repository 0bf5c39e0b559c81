import { once } from "es-toolkit/function/once";

// Not at the start of the server, which would wait some milliseconds for the data of the language.
const getCollator = once(() => new Intl.Collator("en"));

/** Compares names for lists that people read, alike in every locale of the server. */
export function compareNames(one: string, other: string): number {
  return getCollator().compare(one, other);
}
