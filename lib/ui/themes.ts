/** Themes that a user may choose. */
export const THEMES = ["system", "light", "dark"] as const;
/** Name of a theme. */
export type Theme = typeof THEMES[number];
/** Names of the themes on pages. */
export const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};
