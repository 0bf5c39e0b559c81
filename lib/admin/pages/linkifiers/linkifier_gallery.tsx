import { useAdmin } from "@/components/admin/admin_view.ts";
import { Link } from "@/components/Link.tsx";
import type { LinkifierFields } from "@/lib/chat/messages/linkifiers/model/linkifier.ts";

/** A linkifier template; its URL is to be replaced. */
interface LinkifierTemplate extends LinkifierFields {
  /** Its name in URLs. */
  readonly slug: string;
  readonly name: string;
  readonly example_input: string;
}

/** Common linkifiers, most common first; each is valid as it is. */
export const LINKIFIER_GALLERY: readonly LinkifierTemplate[] = [
  {
    slug: "ticket",
    name: "Ticket key",
    pattern: "(?P<key>[A-Z][A-Z0-9]{1,9}-[0-9]{1,7})",
    url_template: "https://tickets.example.com/browse/{key}",
    example_input: "ABC-123",
    reverse_template: "{key}",
    alternative_url_templates: [],
  },
  {
    slug: "issue",
    name: "Issue number",
    pattern: "#(?P<number>[0-9]{1,8})",
    url_template: "https://code.example.com/team/project/issues/{number}",
    example_input: "#123",
    reverse_template: "#{number}",
    alternative_url_templates: ["https://code.example.com/team/project/changes/{number}"],
  },
  {
    slug: "repository",
    name: "Repository issue",
    pattern: "(?P<org>[A-Za-z0-9_-]+)/(?P<repository>[A-Za-z0-9_.-]+)#(?P<number>[0-9]{1,8})",
    url_template: "https://code.example.com/{org}/{repository}/issues/{number}",
    example_input: "acme/website#123",
    reverse_template: "{org}/{repository}#{number}",
    alternative_url_templates: ["https://code.example.com/{org}/{repository}/changes/{number}"],
  },
  {
    slug: "commit",
    name: "Commit hash",
    pattern: "(?P<hash>[0-9a-f]{7,40})",
    url_template: "https://code.example.com/team/project/commit/{hash}",
    example_input: "a3f9c21",
    reverse_template: "{hash}",
    alternative_url_templates: [],
  },
  {
    slug: "documentation",
    name: "Documentation",
    pattern: "docs:(?P<path>[A-Za-z0-9/_.-]*[A-Za-z0-9/_-])",
    url_template: "https://docs.example.com/{+path}",
    example_input: "docs:guides/start",
    reverse_template: "docs:{path}",
    alternative_url_templates: [],
  },
  {
    slug: "search",
    name: "Search",
    pattern: "find:(?P<q>[\\pL\\pN_+-]+)",
    url_template: "https://search.example.com/{?q}",
    example_input: "find:tulips",
    reverse_template: null,
    alternative_url_templates: [],
  },
];

/** Returns the template of a name, or null. */
export function readLinkifierTemplate(slug: string | null): LinkifierTemplate | null {
  return LINKIFIER_GALLERY.find((template) => template.slug === slug) ?? null;
}

/** Lists the templates as links that fill the form; `chosen` is the one that fills it. */
export function TemplateList({ chosen = null }: { chosen?: string | null }) {
  const { t } = useAdmin();
  return (
    <ul class="grid grid-cols-2 sm:grid-cols-3 gap-x-6 gap-y-2">
      {LINKIFIER_GALLERY.map(({ slug, name, example_input }) => (
        <li key={slug} class="min-w-0">
          <Link
            class="link inline-flex min-h-8 items-center text-small font-medium text-ink aria-[current=true]:font-strong aria-[current=true]:text-accent forced-colors:aria-[current=true]:decoration-3"
            href={`/admin/linkifiers/new?template=${slug}`}
            aria-current={slug === chosen ? "true" : undefined}
          >
            {t(name)}
          </Link>
          <p class="font-mono text-tiny break-all text-soft [font-variant-ligatures:none]">
            <bdi>{example_input}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}
