import { Link } from "@/components/Link.tsx";
import { useAdmin } from "../admin_view.ts";
import { Tabs } from "../Tabs.tsx";

const PAGES = {
  "/admin/organization": "Settings",
  "/admin/organization/permissions": "Permissions",
  "/admin/organization/emoji": "Custom emoji",
  "/admin/organization/status": "Status",
};

/** Renders the links between the pages about the organization. */
export function OrganizationNav({ here }: { here: keyof typeof PAGES }) {
  const { t, opens } = useAdmin();
  const tabs = Object.entries(PAGES).filter(([path]) => opens(path))
    .map(([path, name]) => ({ path, name: t(name) }));
  return tabs.length === 1
    ? null
    : <Tabs label={t("Pages of the organization")} tabs={tabs} current={here} />;
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
