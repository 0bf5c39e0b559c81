import type { ShownLink } from "@/lib/admin/links/shown_link.ts";
import { useAdmin } from "../admin_view.ts";

/** Renders the state of a link, and when it expires. */
export function StatusText({ link: { status, expiresAt } }: { link: ShownLink }) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  return (
    <span class="grid">
      <span class={status === "active" ? "" : "font-medium text-accent"}>{text.states[status]}</span>
      {expiresAt !== null && status !== "expired" && (
        <span class="text-small text-soft">
          {formatter.t(text.expires, { date: formatter.date(expiresAt) })}
        </span>
      )}
    </span>
  );
}
