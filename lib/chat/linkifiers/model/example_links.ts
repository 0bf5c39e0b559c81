import {
  type CompiledLinkifier,
  createLinkifierBudget,
  createLinkify,
  findLinkifierLinks,
  type FoundLink,
} from "./find_links.ts";
import type { LinkifierRecord } from "./linkifier.ts";

/** A stored linkifier, compiled. */
export interface StoredLinkifier extends CompiledLinkifier {
  readonly record: LinkifierRecord;
}

/** Link that a linkifier makes of its own example. */
export interface ExampleLink {
  readonly id: number;
  /** Link that the linkifier makes alone; null without an example or a valid link in it. */
  readonly link: FoundLink | null;
  /** Earlier linkifiers that link the same or overlapping text instead. */
  readonly overriddenBy: readonly LinkifierRecord[];
  /** Whether the budget was used up before this example was searched. */
  readonly isSkipped: boolean;
}

/** Budget of all examples together, in multiples of the budget of one message. */
const BUDGET_MESSAGES = 4;

/**
 * Finds the link that each linkifier makes of its own example, and the earlier linkifiers that override it;
 * in order.
 */
export function findExampleLinks(linkifiers: readonly StoredLinkifier[]): ExampleLink[] {
  const budget = createLinkifierBudget(BUDGET_MESSAGES);
  const linkify = createLinkify(linkifiers, budget);
  return linkifiers.map((linkifier, index) => {
    const { id, example_input: example } = linkifier.record;
    const [link = null] = example === null ? [] : findLinkifierLinks(linkifier, example, budget);
    const overriding = example === null || link === null || index === 0
      ? []
      : linkify(example).filter((other) => other.linkifierIndex < index && linksOverlap(other, link));
    const overriddenBy = new Set(
      overriding.map(({ linkifierIndex }) => linkifiers[linkifierIndex]?.record).filter((record) =>
        record !== undefined
      ),
    );
    return { id, link, overriddenBy: [...overriddenBy], isSkipped: budget.work < 0 };
  });
}

/** Returns whether two links share a character. */
export function linksOverlap(a: FoundLink, b: FoundLink): boolean {
  return a.start < b.end && b.start < a.end;
}
