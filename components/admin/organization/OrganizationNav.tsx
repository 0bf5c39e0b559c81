import { TAB } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "@/components/Link.tsx";

const PAGES = [
  { path: "/admin/organization", name: "settings" },
  { path: "/admin/organization/permissions", name: "permissions" },
  { path: "/admin/organization/emoji", name: "emoji" },
  { path: "/admin/organization/status", name: "status" },
] as const;

/** Name of a page about the organization. */
type OrganizationNavItem = typeof PAGES[number]["name"];

/** Renders the links between the pages about the organization. */
export function OrganizationNav({ here }: { here: OrganizationNavItem }) {
  const { messages, opens } = useAdmin();
  const pages = PAGES.filter(({ path }) => opens(path));
  if (pages.length === 1) return null;
  return (
    <nav aria-label={messages.organization.pages} class="border-b border-rule">
      <ul class="flex flex-wrap gap-x-4 sm:gap-x-6">
        {pages.map(({ path, name }) => (
          <li key={name}>
            <Link
              href={path}
              aria-current={name === here ? "page" : undefined}
              class={TAB}
            >
              {messages.organization[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Renders the links to the sections of a long page. */
export function SectionLinks({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const { messages } = useAdmin();
  return (
    <nav aria-label={messages.organization.onThisPage} class="py-4">
      <ul class="flex flex-wrap gap-x-5">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link class="link inline-flex min-h-8 items-center text-small" href={`#${id}`}>{title}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
