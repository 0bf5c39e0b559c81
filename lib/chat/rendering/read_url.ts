const START = /^(?:https?:\/\/[\p{L}\p{N}[]|mailto:[^\s<>@]{1,64}@[\p{L}\p{N}])/iu;
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[" };

/** The address that is written out at `start`, without the punctuation of the sentence around it; null if none. */
export function readUrl(text: string, start: number): string | null {
  const rest = text.slice(start);
  const opening = START.exec(rest);
  if (opening === null) return null;
  const end = rest.slice(opening[0].length).search(/[\s<>"`\\\p{Cc}]|\*\*|~~|\$\$/u);
  return withoutTail(end < 0 ? rest : rest.slice(0, opening[0].length + end));
}

/** Drops final punctuation, and closing brackets that the address does not open. */
function withoutTail(url: string): string {
  const surplus = new Map(
    Object.entries(CLOSING).map(([close, open]) => [close, count(url, close) - count(url, open)]),
  );
  let end = url.length;
  for (; end > 0; end--) {
    const char = url.charAt(end - 1);
    const extra = surplus.get(char);
    if (extra !== undefined && extra > 0) surplus.set(char, extra - 1);
    else if (!/[.,;:!?'*_~|]/.test(char)) break;
  }
  return url.slice(0, end);
}

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}
