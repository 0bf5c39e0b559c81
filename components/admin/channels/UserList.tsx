import type { ShownPerson } from "@/lib/admin/shown_people.ts";
import type { Phrase } from "@/lib/ui/formatter.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

interface UserListProps {
  readonly people: readonly ShownPerson[];
  /** Number of further users, who are not listed. */
  readonly more: number;
  readonly moreWords: Phrase;
}

/** Lists users by name in columns, each linked to the account. */
export function UserList({ people, more, moreWords }: UserListProps) {
  const { messages, formatter } = useAdmin();
  return (
    <>
      <ul class="gap-x-6 border-t border-rule pt-2 sm:columns-2 md:columns-3">
        {people.map(({ id, name, isActive }) => (
          <li key={id} class="min-w-0 break-inside-avoid py-1">
            <Link class="link break-words" href={`/admin/users/${id}`}>
              <bdi>{name}</bdi>
            </Link>
            {!isActive && <span class="ms-2 text-small text-soft">{messages.permissions.deactivated}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p class="mt-2 text-small text-soft">{formatter.t(moreWords, { count: more })}</p>}
    </>
  );
}
