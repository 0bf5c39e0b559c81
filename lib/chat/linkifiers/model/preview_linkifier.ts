import { linksOverlap, type StoredLinkifier } from "./example_links.ts";
import { compileLinkifier, createLinkify, findLinkifierLinks, type FoundLink } from "./find_links.ts";
import type { LinkifierFields, LinkifierRecord } from "./linkifier.ts";

/** A link in a sample text in which a candidate linkifier is tried among the stored ones. */
export interface PreviewLink extends FoundLink {
  /** Stored linkifier that makes the link; null for the candidate. */
  readonly linkifier: LinkifierRecord | null;
}

/** A match of the candidate linkifier. */
export interface CandidateLink extends FoundLink {
  /**
   * Earlier linkifier that links the same or overlapping text instead; null where the candidate makes its
   * link.
   */
  readonly overriddenBy: LinkifierRecord | null;
}

/** Links in a sample text with a candidate linkifier at its position among the others. */
export interface LinkifierPreviewResult {
  /** All links, in the order of the text. */
  readonly links: readonly PreviewLink[];
  /** All matches of the candidate. */
  readonly candidateLinks: readonly CandidateLink[];
}

/** Previews a sample text with a candidate linkifier inserted at `position` among the others. */
export function previewLinkifier(
  candidate: LinkifierFields,
  sampleText: string,
  { others, position }: { readonly others: readonly StoredLinkifier[]; readonly position: number },
): LinkifierPreviewResult {
  const compiled = compileLinkifier(candidate);
  const inserted = compiled === null ? [] : [{ ...compiled, record: null }];
  const inOrder = [...others.slice(0, position), ...inserted, ...others.slice(position)];
  const links = createLinkify(inOrder)(sampleText)
    .map((link) => ({ ...link, linkifier: inOrder[link.linkifierIndex]?.record ?? null }))
    .sort((a, b) => a.start - b.start);
  const candidateLinks = compiled === null ? [] : findLinkifierLinks(compiled, sampleText);
  const findOverride = (link: FoundLink) =>
    links.find((other) => other.linkifierIndex < position && linksOverlap(other, link));
  return {
    links,
    candidateLinks: candidateLinks.map((link) => ({
      ...link,
      overriddenBy: findOverride(link)?.linkifier ?? null,
    })),
  };
}
