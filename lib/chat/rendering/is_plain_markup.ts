/** Elements without attributes that may be in a paragraph. */
const INLINE = "em|strong|del|code";
/** Tags, and text without angle brackets. Text has the three entities that sanitizing leaves as they are. */
const PARAGRAPHS = new RegExp(
  String.raw`^(?:<p>(?:[^<>&\0\r]|&(?:amp|lt|gt);|<br>|</?(?:${INLINE})>)*</p>(?:\n|$))+$`,
);
/** Length up to which the expression is tried, as it remembers each character. */
const MAX_LENGTH = 20_000;
const INLINE_TAG = new RegExp(`<(/?)(${INLINE})>`, "g");

/**
 * Returns whether HTML consists of paragraphs of text with nothing but line breaks and properly nested emphasis,
 * code and deletions without attributes. Sanitizing returns such HTML unchanged.
 */
export function isPlainMarkup(html: string): boolean {
  if (html.length > MAX_LENGTH || !PARAGRAPHS.test(html)) return false;
  return html.split("</p>").every(isNested);
}

function isNested(paragraph: string): boolean {
  const open: string[] = [];
  for (const [, slash, name = ""] of paragraph.matchAll(INLINE_TAG)) {
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}
