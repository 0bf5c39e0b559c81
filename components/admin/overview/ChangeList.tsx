import type { OverviewData } from "@/lib/admin/overview/overview_data.ts";
import { useAdmin } from "../admin_view.ts";
import { ChangeSentence, PossibleLink } from "../audit/ChangeSentence.tsx";
import { Link } from "../../Link.tsx";

/** Renders the latest changes by administrators, newest first. */
export function ChangeList({ changes, now }: Pick<OverviewData, "changes" | "now">) {
  const { messages: { overview: text }, formatter } = useAdmin();
  return (
    <section aria-labelledby="changes-title">
      <div class="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="changes-title">{text.changesTitle}</h2>
        <Link class="link inline-flex min-h-6 items-center text-small font-medium" href="/admin/audit">
          {text.toAudit}
        </Link>
      </div>
      {changes.length === 0
        ? <p class="mt-3 text-soft">{text.noChanges}</p>
        : (
          <ol class="mt-3 border-t border-rule">
            {changes.map((change) => (
              <li key={change.id} class="border-b border-rule py-2.5">
                <ChangeSentence change={change} />
                <p class="text-small text-soft">
                  <PossibleLink {...change.actor} />
                  {" · "}
                  <time dateTime={new Date(change.time).toISOString()} title={formatter.moment(change.time)}>
                    {formatter.distance(change.time, now)}
                  </time>
                </p>
              </li>
            ))}
          </ol>
        )}
    </section>
  );
}
