import type { ComponentChildren } from "preact";
import { PageFrame } from "../PageFrame.tsx";

interface AccountShellProps {
  /** Page name, shown in the browser tab before the product's name. */
  readonly title: string;
  readonly current: "/account" | "/connect";
  readonly userName: string;
  /** Name of the organization. */
  readonly organization: string;
  /** First admin page that the user may open; null for none. */
  readonly adminPath: string | null;
  readonly children: ComponentChildren;
}

const ACCOUNT = { path: "/account", name: "Account" };
const CONNECT = { path: "/connect", name: "Connect an app" };

/**
 * Renders the frame of an account page: who is signed in to which organization, the sign-out button and the
 * content.
 */
export function AccountShell(
  { title, current, userName, organization, adminPath, children }: AccountShellProps,
) {
  return (
    <PageFrame
      title={title}
      links={[
        ACCOUNT,
        CONNECT,
        ...(adminPath === null ? [] : [{ path: adminPath, name: "Administration" }]),
      ]}
      current={current}
      beside={
        <p class="mr-auto min-w-0 text-small text-soft">
          {userName} at {organization}
        </p>
      }
      actions={<SignOut />}
    >
      {children}
    </PageFrame>
  );
}

function SignOut() {
  return (
    <form method="post" action="/logout">
      <button type="submit" class="min-h-11 cursor-pointer px-2 text-soft hover:text-ink">Sign out</button>
    </form>
  );
}
