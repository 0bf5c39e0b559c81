/** Settings of a new app. */
export interface FreshConfig {
  /** Path prefix of every route, such as "/shop"; none by default. */
  basePath?: string;
  /** "production" unless the app runs under the dev builder. */
  mode?: "development" | "production";
}

/** The configuration an app runs with; a build cache fills in the project's root. */
export interface ResolvedFreshConfig {
  root: string;
  basePath: string;
  mode: "development" | "production";
}

/** Outer wrappers that a layout or page leaves out. */
export interface LayoutConfig {
  skipInheritedLayouts?: boolean;
  skipAppWrapper?: boolean;
}
