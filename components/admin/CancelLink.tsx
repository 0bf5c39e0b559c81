import { useAdmin } from "./admin_view.ts";
import { Link } from "../Link.tsx";

/** Renders a link that leaves a form without saving. */
export function CancelLink({ to }: { to: string }) {
  return (
    <Link data-cancel class="link inline-flex min-h-11 items-center" href={to}>
      {useAdmin().t("Cancel")}
    </Link>
  );
}
