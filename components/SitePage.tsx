import type { ComponentChildren } from "preact";
import { PageFrame } from "./PageFrame.tsx";

interface SitePageProps {
  /** What the browser's tab says before the product's name. */
  readonly title: string;
  /** The address of the place in the header that this page is. */
  readonly current?: string;
  /** Wide for tables and the like; narrow for what is read. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

const PLACES = [
  { path: "/docs", name: "API documentation" },
  { path: "/login", name: "Sign in" },
];

/** A public page: the way past the header, the header, the content and the footer. */
export function SitePage(props: SitePageProps) {
  return <PageFrame {...props} places={PLACES} />;
}
