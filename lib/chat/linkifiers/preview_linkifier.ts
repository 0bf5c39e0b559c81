import { findProblems, type LinkifierProblem } from "./check_linkifier.ts";
import { compileLinkifier, findLinksOf, type FoundLink } from "./find_links.ts";
import type { LinkifierFields, LinkifierRecord } from "./linkifier.ts";

/** What a linkifier would do, before anybody is given it. */
export interface LinkifierPreview {
  /** Why it could not be added, if so; the first is what the API would say. */
  readonly problems: readonly LinkifierProblem[];
  /** The links that it alone would make; none while its pattern or its template cannot be read. */
  readonly links: readonly FoundLink[];
}

/** What a linkifier would make of a text, and what is wrong with it beside `others`; pure. */
export function previewLinkifier(
  candidate: LinkifierFields,
  sampleText: string,
  others: readonly LinkifierRecord[] = [],
): LinkifierPreview {
  const compiled = compileLinkifier(candidate);
  return {
    problems: findProblems(candidate, others),
    links: compiled === null ? [] : findLinksOf(compiled, sampleText),
  };
}
