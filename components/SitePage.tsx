import type { ComponentChildren } from "preact";
import { PageFrame } from "./PageFrame.tsx";

interface SitePageProps {
  /** Page name, shown in the browser tab before the product's name. */
  readonly title: string;
  /** Path of the header link that is the current page. */
  readonly current?: string;
  /** Uses the wide layout, for tables. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

const PLACES = [
  { path: "/docs", name: "API documentation" },
  { path: "/login", name: "Sign in" },
];

/** Renders a public page: skip link, header, content and footer. */
export function SitePage(props: SitePageProps) {
  return <PageFrame {...props} places={PLACES} />;
}
