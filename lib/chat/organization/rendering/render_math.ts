import katex from "katex";
import type { RenderMath } from "./context.ts";

/** Maximum number of macro expansions in one formula; many commands are macros of KaTeX. */
const MAX_EXPANSIONS = 300;
/** Maximum size that a formula can ask for, in em. */
const MAX_SIZE_EM = 20;
/** Maximum nesting depth of the HTML of a formula; clients parse it recursively. */
const MAX_DEPTH = 150;

/**
 * Commands that define others. They are refused, because definitions that use each other could make a formula
 * a thousand times longer.
 */
const DEFINING: ReadonlySet<string> = new Set(
  [
    ..."def gdef edef xdef let futurelet global long newcommand renewcommand providecommand".split(" "),
  ].map((name) => `\\${name}`),
);
const COMMAND = /\\(?:[a-zA-Z@]+|[^a-zA-Z@])/g;

/** Renders TeX to HTML with KaTeX: MathML with the source, then HTML for display. */
export const renderMath: RenderMath = (source, { isBlock }) => {
  if (source.match(COMMAND)?.some((command) => DEFINING.has(command)) === true) return null;
  try {
    const html = katex.renderToString(source, {
      displayMode: isBlock,
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxExpand: MAX_EXPANSIONS,
      maxSize: MAX_SIZE_EM,
    });
    return measureDepth(html) <= MAX_DEPTH ? html : null;
  } catch {
    // Invalid TeX, or nested too deeply for the parser.
    return null;
  }
};

/** Returns the greatest number of elements that are open at once. */
function measureDepth(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [tag] of html.matchAll(/<[^<>]*>/g)) {
    if (tag.startsWith("</")) depth--;
    else if (!tag.endsWith("/>")) deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}
