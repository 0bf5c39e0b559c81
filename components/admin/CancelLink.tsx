import { useAdmin } from "./admin_view.ts";

/** Back to where one came from, with nothing done. */
export function CancelLink({ to }: { to: string }) {
  return <a class="link inline-flex min-h-11 items-center" href={to}>{useAdmin().words.common.cancel}</a>;
}
