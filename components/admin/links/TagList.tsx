import { Link } from "../../Link.tsx";

/** Renders the tags of a link, each of which leads to the links with that tag. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul class="flex flex-wrap gap-x-3 text-small">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            class="inline-flex min-h-6 items-center text-soft hover:text-ink"
            href={`/admin/links?q=${encodeURIComponent(toQuery(tag))}#links`}
          >
            <bdi>#{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A tag with blanks is searched by its words. */
function toQuery(tag: string): string {
  return /\s/.test(tag) ? tag : `#${tag}`;
}
