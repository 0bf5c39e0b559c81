import WatchJoins from "@/islands/admin/invitations/WatchJoins.tsx";
import type { JoinedPerson } from "@/lib/admin/invitations/joined_people.ts";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { Link } from "../../Link.tsx";
import { useAdmin } from "../admin_view.ts";
import { RelativeTime } from "./RelativeTime.tsx";

/** Ids of the elements that the island replaces; screen readers announce the first. */
const LIST = "joined-people";
export const COUNT = "joined-count";

interface JoinedPeopleProps {
  readonly people: readonly JoinedPerson[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Renders who joined by a link, while people arrive too. */
export function JoinedPeople({ people, now }: JoinedPeopleProps) {
  const { messages: { invitations: { arrivals: text } }, formatter, news, opens } = useAdmin();
  return (
    <section aria-labelledby="joined-title" class="mb-9">
      <div id={LIST} role="status">
        <h2 id="joined-title" class="mb-2">{people.length === 0 ? text.waiting : text.title}</h2>
        {people.length === 0
          ? (
            <>
              <p class="text-soft noscript:hidden">{text.waitingHint}</p>
              <p class="hidden text-soft noscript:block">{text.reloadHint}</p>
            </>
          )
          : (
            <>
              <ul class="mb-4 border-t border-rule">
                {people.map(({ id, name, joinedAt }) => (
                  <li
                    key={id}
                    class="flex flex-wrap items-baseline justify-between gap-x-6 border-b border-rule py-2"
                  >
                    {opens(`/admin/users/${id}`)
                      ? (
                        <Link class="link font-medium" href={`/admin/users/${id}`}>
                          {formatter.t(text.joined, { name })}
                        </Link>
                      )
                      : <span class="font-medium">{formatter.t(text.joined, { name })}</span>}
                    <span class="text-small text-soft">
                      <RelativeTime time={joinedAt} now={now} />
                    </span>
                  </li>
                ))}
              </ul>
              <p class="flex flex-wrap items-center gap-x-4 gap-y-2">
                <Link class={`${QUIET_BUTTON} no-underline`} href="/connect">{text.connect}</Link>
                <span class="text-soft">{text.connectHint}</span>
              </p>
            </>
          )}
      </div>
      {news !== undefined && <WatchJoins ids={[LIST, COUNT]} position={news.position} />}
    </section>
  );
}
