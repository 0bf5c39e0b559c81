/** Colours that a person may choose. */
export const THEMES = ["system", "light", "dark"] as const;
/** One of the three. */
export type Theme = typeof THEMES[number];
