import type { ComponentChildren } from "preact";
import { Link } from "../Link.tsx";
import { useAdmin } from "./admin_view.ts";

interface PossibleLinkProps {
  /** Null for what has no page. */
  readonly path: string | null;
  /** Class names. */
  readonly look?: string;
  readonly children: ComponentChildren;
}

/** Renders a link to a page, or only its text where the user may not open it. */
export function PossibleLink({ path, look = "", children }: PossibleLinkProps) {
  if (path !== null && useAdmin().opens(path)) {
    return <Link class={`link ${look}`.trimEnd()} href={path}>{children}</Link>;
  }
  return look === "" ? <>{children}</> : <span class={look}>{children}</span>;
}
