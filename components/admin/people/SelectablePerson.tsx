import type { ShownPerson } from "@/lib/admin/shown_people.ts";
import { Link } from "@/components/Link.tsx";
import { useAdmin } from "../admin_view.ts";
import type { FormState } from "../form_state.ts";

/** A person of a list, and the form whose field `member` selects them; null without a form. */
interface SelectablePersonProps {
  readonly person: ShownPerson;
  readonly state: FormState | null;
}

/** Renders a person of a list that can be selected; deactivated accounts cannot. */
export function SelectablePerson({ person: { id, name, isActive }, state }: SelectablePersonProps) {
  const { t, messages, formatter, opens } = useAdmin();
  const path = `/admin/users/${id}`;
  return (
    <li class="flex min-w-0 min-h-9 break-inside-avoid items-center gap-2.5">
      {state !== null && (
        <input
          type="checkbox"
          name="member"
          value={String(id)}
          defaultChecked={state.holds("member", String(id), [])}
          disabled={!isActive}
          aria-label={formatter.t(messages.common.select, { name })}
          class="size-5 flex-none accent-ink"
        />
      )}
      <span class="min-w-0 py-1 break-words">
        {opens(path)
          ? (
            <Link class="link" href={path}>
              <bdi>{name}</bdi>
            </Link>
          )
          : <bdi>{name}</bdi>}
        {!isActive && <span class="ms-2.5 text-small text-soft">{t("deactivated")}</span>}
      </span>
    </li>
  );
}
