import type { LinkifierTemplate, OfferedTemplate } from "@/lib/admin/linkifier_gallery.ts";
import { useAdmin } from "../admin_view.ts";

interface TemplateListProps {
  readonly templates: readonly OfferedTemplate[];
  /** The one that the form is filled in with, or null. */
  readonly chosen?: LinkifierTemplate["slug"] | null;
}

/** The templates to begin with, as links that fill in the form. */
export function TemplateList({ templates, chosen = null }: TemplateListProps) {
  const { linkifiers: text } = useAdmin().words;
  return (
    <ul class="flex flex-wrap gap-x-7">
      {templates.map(({ slug, example }) => (
        <li key={slug} class="flex flex-wrap items-center gap-x-2">
          <a
            class="link inline-flex min-h-9 items-center text-small font-medium aria-[current]:text-accent"
            href={`/admin/linkifiers/new?template=${slug}`}
            aria-current={slug === chosen ? "true" : undefined}
          >
            {text.templates[slug]}
          </a>
          <bdi class="font-mono text-tiny text-soft">{example}</bdi>
        </li>
      ))}
    </ul>
  );
}
