import type { NamedThings } from "@/lib/admin/users/user_data.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

interface NameLinksProps {
  readonly title: string;
  readonly things: NamedThings;
  /** Path prefix of the items' pages; the id follows. */
  readonly path: string;
  /** Text before each name. */
  readonly sign?: string;
  /** Text shown when there are no items. */
  readonly empty: string;
}

/** Lists names linked to their pages, below a title. */
export function NameLinks({ title, things: { named, others }, path, sign = "", empty }: NameLinksProps) {
  const { messages, formatter } = useAdmin();
  return (
    <section class="min-w-0">
      <h2 class="mb-2">{title}</h2>
      {named.length === 0 && <p class="text-soft">{empty}</p>}
      <ul class="flex flex-wrap gap-x-4">
        {named.map(({ id, name }) => (
          <li key={id} class="min-w-0">
            <Link class="link inline-flex min-h-8 max-w-full items-center break-words" href={`${path}/${id}`}>
              <bdi class="min-w-0">{sign}{name}</bdi>
            </Link>
          </li>
        ))}
        {others > 0 && (
          <li class="inline-flex min-h-8 items-center text-soft">
            {formatter.t(messages.users.more, { count: others })}
          </li>
        )}
      </ul>
    </section>
  );
}
