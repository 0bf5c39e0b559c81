import { compileLinkifier, createLinkify, findLinksOf, type FoundLink } from "./find_links.ts";
import { overlap, type StoredLinkifier } from "./link_examples.ts";
import type { LinkifierFields, LinkifierRecord } from "./linkifier.ts";

/** A link of a text in which a linkifier is tried among others. */
export interface OrderedLink extends FoundLink {
  /** The stored linkifier that makes it; null for the one that is tried. */
  readonly owner: LinkifierRecord | null;
}

/** A place that a linkifier finds, and what becomes of it. */
export interface TriedLink extends FoundLink {
  /** The earlier linkifier that takes the place, or a part of it; null where the tried one makes its link. */
  readonly winner: LinkifierRecord | null;
}

/** What a text becomes with a linkifier in its place among the others. */
export interface OrderedPreview {
  /** Every link, in the order of the text. */
  readonly links: readonly OrderedLink[];
  /** Every place that the tried linkifier finds. */
  readonly tried: readonly TriedLink[];
}

/** What a text would become if a linkifier stood behind the first `place` of the others; pure. */
export function previewInOrder(
  candidate: LinkifierFields,
  sampleText: string,
  { others, place }: { readonly others: readonly StoredLinkifier[]; readonly place: number },
): OrderedPreview {
  const compiled = compileLinkifier(candidate);
  const tried = compiled === null ? [] : [{ ...compiled, record: null }];
  const inOrder = [...others.slice(0, place), ...tried, ...others.slice(place)];
  const links = createLinkify(inOrder)(sampleText)
    .map((link) => ({ ...link, owner: inOrder[link.by]?.record ?? null }))
    .sort((a, b) => a.start - b.start);
  const alone = compiled === null ? [] : findLinksOf(compiled, sampleText);
  return {
    links,
    tried: alone.map((link) => ({
      ...link,
      winner: links.find((other) => other.by < place && overlap(other, link))?.owner ?? null,
    })),
  };
}
