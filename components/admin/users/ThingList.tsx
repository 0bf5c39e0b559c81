import type { NamedThings } from "@/lib/admin/user_data.ts";
import { useAdmin } from "../admin_view.ts";

interface ThingListProps {
  readonly title: string;
  readonly things: NamedThings;
  /** The page of one is this and its id. */
  readonly path: string;
  /** What stands before each name. */
  readonly sign?: string;
  /** What stands where there are none. */
  readonly empty: string;
}

/** Names that lead to pages, under a title. */
export function ThingList({ title, things: { named, others }, path, sign = "", empty }: ThingListProps) {
  const { words, speech } = useAdmin();
  return (
    <section class="min-w-0">
      <h2 class="mb-2">{title}</h2>
      {named.length === 0 && <p class="text-soft">{empty}</p>}
      <ul class="flex flex-wrap gap-x-4">
        {named.map(({ id, name }) => (
          <li key={id} class="min-w-0">
            <a class="link inline-flex min-h-8 max-w-full items-center break-words" href={`${path}/${id}`}>
              <bdi class="min-w-0">{sign}{name}</bdi>
            </a>
          </li>
        ))}
        {others > 0 && (
          <li class="inline-flex min-h-8 items-center text-soft">
            {speech.say(words.users.more, { count: others })}
          </li>
        )}
      </ul>
    </section>
  );
}
