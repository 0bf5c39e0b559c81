import type { JSX } from "preact";

/** Attributes of a link; `aria-current` is `"page"` or `"true"` for the current page, view or choice. */
type LinkProps = JSX.IntrinsicElements["a"];

/** Renders a link, which is not current unless it says so: Fresh marks links without `aria-current` by itself. */
export function Link({ "aria-current": current = "false", ...attributes }: LinkProps) {
  return <a aria-current={current} {...attributes} />;
}
