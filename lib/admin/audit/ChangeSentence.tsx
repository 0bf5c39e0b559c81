import { useAdmin } from "@/components/admin/admin_view.ts";
import { PossibleLink } from "@/components/admin/PossibleLink.tsx";
import { Link } from "@/components/Link.tsx";
import { sentenceOf } from "@/lib/chat/organization/audit/model.ts";
import type { ShownChange } from "./shown_change.ts";

export function toRevertPath(id: string): string {
  return `/admin/audit/${id}/revert`;
}

/** Renders the sentence that describes a change; the name in it links to its target. */
export function ChangeSentence({ change: { action, target, sentences, reverts } }: { change: ShownChange }) {
  const { t } = useAdmin();
  const [before = "", after] = t(sentenceOf(action)).split("{name}");
  return (
    <div class="min-w-0 max-w-[60ch] break-words">
      {before}
      {after !== undefined && <NameLink {...target} />}
      {after}
      {sentences.length > 0 && (
        <ul class="mt-0.5 text-small text-soft">
          {sentences.map((sentence) => <li key={sentence} dir="auto" class="break-words">{sentence}</li>)}
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
export function NameLink({ name, path }: ShownChange["actor"]) {
  return (
    <PossibleLink path={path}>
      <bdi class="break-words">{name}</bdi>
    </PossibleLink>
  );
}
