import type { ComponentChildren } from "preact";
import { PageFrame } from "./PageFrame.tsx";

interface SitePageProps {
  /** Page name, shown in the browser tab before the product's name. */
  readonly title: string;
  /** Path of the header link that is the current page. */
  readonly current?: string;
  /** Whether the visitor has a session; the header then links to the account. */
  readonly isSignedIn?: boolean;
  /** Uses the wide layout, for tables. */
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

const DOCS = { path: "/docs", name: "API documentation" };
const SIGN_IN = { path: "/login", name: "Sign in" };
const ACCOUNT = { path: "/account", name: "Your account" };

/** Renders a public page: skip link, header, content and footer. */
export function SitePage(props: SitePageProps) {
  const { isSignedIn = false, ...rest } = props;
  return <PageFrame {...rest} places={[DOCS, isSignedIn ? ACCOUNT : SIGN_IN]} />;
}
