import type { ShownCreator } from "@/lib/admin/links/shown_link.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";

/** Renders the creator of a link. */
export function LinkCreatorName({ creator }: { creator: ShownCreator }) {
  const { messages, formatter } = useAdmin();
  const text = messages.links;
  if (creator === "former") return <>{formatter.t(text.byName, { name: text.formerUser })}</>;
  if (creator === "elsewhere") return <>{formatter.t(text.byName, { name: text.otherOrganization })}</>;
  return (
    <Link class="inline-flex min-h-6 items-center hover:text-ink" href={creator.path}>
      <bdi>{formatter.t(text.byName, { name: creator.name })}</bdi>
    </Link>
  );
}
