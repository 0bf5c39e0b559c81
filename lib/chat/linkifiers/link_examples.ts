import {
  type CompiledLinkifier,
  createLinkifierBudget,
  createLinkify,
  findLinksOf,
  type FoundLink,
} from "./find_links.ts";
import type { LinkifierRecord } from "./linkifier.ts";

/** A linkifier of the store, ready to search with. */
export interface StoredLinkifier extends CompiledLinkifier {
  readonly record: LinkifierRecord;
}

/** What a linkifier makes of its example. */
export interface LinkedExample {
  readonly id: number;
  /** What it alone makes of it; null for none, or none that could be a link. */
  readonly link: FoundLink | null;
  /** The earlier linkifiers that take it, or a part of it, instead. */
  readonly takenBy: readonly LinkifierRecord[];
  /** Whether there was too much work for it to be looked at. */
  readonly isUntried: boolean;
}

/** All examples together may take as much work as this many messages. */
const SHARES = 4;

/** What each linkifier makes of its own example, and which earlier ones act in its place; in order. */
export function linkExamples(linkifiers: readonly StoredLinkifier[]): LinkedExample[] {
  const share = createLinkifierBudget(SHARES);
  const linkify = createLinkify(linkifiers, share);
  return linkifiers.map((linkifier, at) => {
    const { id, example_input: example } = linkifier.record;
    const [link = null] = example === null ? [] : findLinksOf(linkifier, example, share);
    const earlier = example === null || link === null || at === 0
      ? []
      : linkify(example).filter((other) => other.by < at && overlap(other, link));
    const takenBy = new Set(
      earlier.map(({ by }) => linkifiers[by]?.record).filter((one) => one !== undefined),
    );
    return { id, link, takenBy: [...takenBy], isUntried: share.work < 0 };
  });
}

/** Whether two links want one and the same character. */
export function overlap(a: FoundLink, b: FoundLink): boolean {
  return a.start < b.end && b.start < a.end;
}
