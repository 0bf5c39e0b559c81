import type { ShownPerson } from "@/lib/admin/shown_people.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";
import type { FormState } from "../form_state.ts";

/** A person of a list, and the form whose field `member` selects them; null without a form. */
export interface SelectablePersonProps {
  readonly person: ShownPerson;
  readonly state: FormState | null;
}

/** Renders a person of a list that can be selected; deactivated accounts cannot. */
export function SelectablePerson({ person: { id, name, isActive }, state }: SelectablePersonProps) {
  const { messages, formatter } = useAdmin();
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
        <Link class="link" href={`/admin/users/${id}`}>
          <bdi>{name}</bdi>
        </Link>
        {!isActive && <span class="ms-2.5 text-small text-soft">{messages.permissions.deactivated}</span>}
      </span>
    </li>
  );
}
