/** Longest word that stays on one line by default, in characters. */
const MAX_WORD = 24;
const AFTER_PUNCTUATION = /(?<=[/.?&=@_}-])(?![/.?&=@_}-])|(?=\{)/;

/**
 * Splits a text where its long words, such as URLs and email addresses, may break: after punctuation, and
 * before a placeholder in braces. The parts joined are the text.
 */
export function splitAtBreakPoints(text: string, longest = MAX_WORD): string[] {
  const parts = [""];
  for (const word of text.split(/(?<=\s)/)) {
    const [first = "", ...others] = word.length > longest ? word.split(AFTER_PUNCTUATION) : [word];
    parts.push(`${parts.pop()}${first}`, ...others);
  }
  return parts;
}
