import type { ShownPerson } from "@/lib/admin/shown_people.ts";
import type { Phrase } from "@/lib/ui/speech.ts";
import { useAdmin } from "../admin_view.ts";

interface PeopleListProps {
  readonly people: readonly ShownPerson[];
  /** How many there are besides. */
  readonly more: number;
  readonly moreWords: Phrase;
}

/** Names in columns, each leading to its account. */
export function PeopleList({ people, more, moreWords }: PeopleListProps) {
  const { words, speech } = useAdmin();
  return (
    <>
      <ul class="gap-x-6 border-t border-rule pt-2 sm:columns-2 md:columns-3">
        {people.map(({ id, name, isActive }) => (
          <li key={id} class="min-w-0 break-inside-avoid py-1">
            <a class="link break-words" href={`/admin/users/${id}`}>
              <bdi>{name}</bdi>
            </a>
            {!isActive && <span class="ms-2 text-small text-soft">{words.permissions.deactivated}</span>}
          </li>
        ))}
      </ul>
      {more > 0 && <p class="mt-2 text-small text-soft">{speech.say(moreWords, { count: more })}</p>}
    </>
  );
}
