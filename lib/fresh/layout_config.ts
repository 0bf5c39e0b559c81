/** Outer wrappers that a layout or page leaves out. */
export interface LayoutConfig {
  skipInheritedLayouts?: boolean;
  skipAppWrapper?: boolean;
}
