import { TAB } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "@/components/Link.tsx";

const PAGES = [
  { id: "settings", path: "/admin/organization", name: "Settings" },
  { id: "permissions", path: "/admin/organization/permissions", name: "Permissions" },
  { id: "emoji", path: "/admin/organization/emoji", name: "Custom emoji" },
  { id: "status", path: "/admin/organization/status", name: "Status" },
] as const;

/** Renders the links between the pages about the organization. */
export function OrganizationNav({ here }: { here: typeof PAGES[number]["id"] }) {
  const { t, opens } = useAdmin();
  const pages = PAGES.filter(({ path }) => opens(path));
  if (pages.length === 1) return null;
  return (
    <nav aria-label={t("Pages of the organization")} class="border-b border-rule">
      <ul class="flex flex-wrap gap-x-4 sm:gap-x-6">
        {pages.map(({ id, path, name }) => (
          <li key={id}>
            <Link href={path} aria-current={id === here ? "page" : undefined} class={TAB}>{t(name)}</Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Renders the links to the sections of a long page. */
export function SectionLinks({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const { t } = useAdmin();
  return (
    <nav aria-label={t("On this page")} class="py-4">
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
