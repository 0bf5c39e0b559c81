import { TAB } from "@/lib/ui/class_names.ts";
import { Link } from "../Link.tsx";

interface TabsProps {
  /** Accessible name. */
  readonly label: string;
  readonly tabs: readonly { readonly path: string; readonly name: string }[];
  /** Path of the current one. */
  readonly current: string;
}

/** Renders links to other pages or lists of the same subject. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav aria-label={label} class="border-b border-rule">
      <ul class="flex flex-wrap gap-x-4 sm:gap-x-6">
        {tabs.map(({ path, name }) => (
          <li key={path}>
            <Link href={path} aria-current={path === current ? "page" : undefined} class={TAB}>{name}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
