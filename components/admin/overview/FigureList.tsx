import type { OverviewFigures } from "@/lib/admin/overview/overview_page.ts";
import { formatBytes } from "@/lib/ui/format_bytes.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

interface ShownFigure {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** Page with the details. */
  readonly path: string;
}

/** Renders the figures of the organization, each linked to its page. */
export function FigureList({ figures }: { figures: OverviewFigures }) {
  const { messages } = useAdmin();
  return (
    <section aria-labelledby="figures-title" class="mb-10">
      <h2 id="figures-title" class="sr-only">{messages.overview.figuresTitle}</h2>
      <ul class="grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-rule bg-rule sm:grid-cols-3">
        {useFigures(figures).map(({ name, value, note, path }) => (
          <li key={name} class="relative bg-raised p-4 sm:p-5">
            <Link
              class="text-small text-soft no-underline after:absolute after:inset-0 hover:underline"
              href={path}
            >
              {name}
            </Link>
            <p class="font-serif text-[1.9rem] leading-tight tabular-nums">{value}</p>
            {note !== undefined && <p class="text-small text-soft">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function useFigures({ active, invitations, storage, links }: OverviewFigures): readonly ShownFigure[] {
  const { messages, formatter } = useAdmin();
  const { figures: names, notes } = messages.overview;
  const toSize = (bytes: number) => formatBytes(formatter, messages.organization.bytes, bytes);
  return [
    ...(active === null ? [] : [
      {
        name: names.activeToday,
        value: formatter.number(active.today),
        note: notes.utc,
        path: "/admin/users",
      },
      {
        name: names.activeWeek,
        value: formatter.number(active.week),
        note: notes.monday,
        path: "/admin/users",
      },
    ]),
    { name: names.invitations, value: formatter.number(invitations), path: "/admin/invitations" },
    {
      name: names.storage,
      value: toSize(storage.used),
      ...(storage.quota === null ? {} : { note: formatter.t(notes.quota, { size: toSize(storage.quota) }) }),
      path: "/admin/organization/status#uploads",
    },
    ...(links === null ? [] : [
      { name: names.links, value: formatter.number(links.urls), path: "/admin/stats" },
      {
        name: names.visits,
        value: formatter.number(links.visits),
        note: formatter.t(notes.visitsToday, { count: links.today }),
        path: "/admin/stats#chart",
      },
    ]),
  ];
}
