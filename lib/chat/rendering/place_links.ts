import type { LinkMatch } from "./context.ts";
import { safeHref } from "./url.ts";

/** The links of a text in their order, with safe addresses; where two overlap, the one that starts first stays. */
export function placeLinks(text: string, found: readonly LinkMatch[]): LinkMatch[] {
  const placed: LinkMatch[] = [];
  let from = 0;
  for (const { start, end, url } of found.toSorted((a, b) => a.start - b.start)) {
    const href = safeHref(url);
    if (href === null || start < from || end <= start || end > text.length) continue;
    placed.push({ start, end, url: href });
    from = end;
  }
  return placed;
}
