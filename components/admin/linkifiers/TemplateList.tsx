import type { LinkifierTemplate, OfferedTemplate } from "@/lib/admin/linkifiers/linkifier_gallery.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

interface TemplateListProps {
  readonly templates: readonly OfferedTemplate[];
  /** Template that fills the form, or null. */
  readonly chosen?: LinkifierTemplate["slug"] | null;
}

/** Lists the templates as links that fill the form. */
export function TemplateList({ templates, chosen = null }: TemplateListProps) {
  const { linkifiers: text } = useAdmin().messages;
  return (
    <ul class="grid grid-cols-2 sm:grid-cols-3 gap-x-6 gap-y-2">
      {templates.map(({ slug, example }) => (
        <li key={slug} class="min-w-0">
          <Link
            class="link inline-flex min-h-8 items-center text-small font-medium text-ink aria-[current=true]:font-strong aria-[current=true]:text-accent"
            href={`/admin/linkifiers/new?template=${slug}`}
            aria-current={slug === chosen ? "true" : undefined}
          >
            {text.templates[slug]}
          </Link>
          <p class="font-mono text-tiny break-all text-soft [font-variant-ligatures:none]">
            <bdi>{example}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}
