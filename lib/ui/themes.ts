/** Themes that a user may choose. */
export const THEMES = ["system", "light", "dark"] as const;
/** Name of a theme. */
export type Theme = typeof THEMES[number];
