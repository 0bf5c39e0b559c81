import type { ShownChange } from "@/lib/admin/audit/shown_change.ts";
import { Link } from "@/components/Link.tsx";
import { useAdmin } from "../admin_view.ts";

/** Returns the path of the page that reverts a change. */
export function toRevertPath(id: string): string {
  return `/admin/audit/${id}/revert`;
}

/** Renders the sentence that describes a change; the name in it links to its target. */
export function ChangeSentence({ change: { action, target, details, reverts } }: { change: ShownChange }) {
  const { t, messages } = useAdmin();
  const [before = "", after] = messages.audit.actions[action].split("{name}");
  return (
    <div class="min-w-0 max-w-[60ch] break-words">
      {before}
      {after !== undefined && <PossibleLink {...target} />}
      {after}
      {details.length > 0 && (
        <ul class="mt-0.5 text-small text-soft">
          {details.map((detail) => <li key={detail} dir="auto" class="break-words">{detail}</li>)}
        </ul>
      )}
      {reverts !== null && (
        <Link class="link mt-0.5 inline-flex min-h-6 items-center text-small" href={toRevertPath(reverts)}>
          {t("Reverts an earlier change")}
        </Link>
      )}
    </div>
  );
}

/** Renders a name, with a link to its page if it has one. */
export function PossibleLink({ name, path }: { name: string; path: string | null }) {
  const shown = <bdi class="break-words">{name}</bdi>;
  return path === null ? shown : <Link class="link" href={path}>{shown}</Link>;
}
