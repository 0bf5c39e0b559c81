/** Compares names for lists that people read, alike in every locale of the server. */
export const compareNames: (one: string, other: string) => number = new Intl.Collator("en").compare;
