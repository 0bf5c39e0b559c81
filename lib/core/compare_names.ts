/** Compares names for lists that people read: alike in every locale that the server may run in. */
export const compareNames: (one: string, other: string) => number = new Intl.Collator("en").compare;
