import { Link } from "@/components/Link.tsx";

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
              class="inline-flex min-h-9 items-center border-y-2 border-transparent text-small text-soft hover:text-ink aria-[current=true]:border-b-accent forced-colors:border-[Canvas] forced-colors:aria-[current=true]:border-b-[CanvasText] aria-[current=true]:font-strong aria-[current=true]:text-ink"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
