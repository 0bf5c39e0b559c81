import { Link } from "../../Link.tsx";

interface ChoicesProps {
  /** Accessible name. */
  readonly label: string;
  readonly links: readonly {
    readonly name: string;
    readonly path: string;
    readonly isChosen: boolean;
    readonly period?: string;
  }[];
}

/** Renders links to the same page with other choices. */
export function Choices({ label, links }: ChoicesProps) {
  return (
    <nav aria-label={label}>
      <ul class="flex flex-wrap gap-x-4">
        {links.map(({ name, path, isChosen, period }) => (
          <li key={path}>
            <Link
              href={path}
              data-period={period}
              aria-current={isChosen ? "true" : undefined}
              class="inline-flex min-h-9 items-center text-small text-soft hover:text-ink aria-[current=true]:border-b-2 aria-[current=true]:border-accent aria-[current=true]:font-strong aria-[current=true]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
