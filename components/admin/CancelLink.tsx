import { useAdmin } from "./admin_view.ts";

/** Renders a link that leaves a form without saving. */
export function CancelLink({ to }: { to: string }) {
  return <a class="link inline-flex min-h-11 items-center" href={to}>{useAdmin().messages.common.cancel}</a>;
}
