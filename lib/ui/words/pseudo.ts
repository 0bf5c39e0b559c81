/** Letters that stay readable and can be told from what no catalogue holds. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, at) => [
    letter,
    [..."áƀçđéƒǧħíĵķłɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"][at] ?? letter,
  ]),
);

/** A catalogue in a language that nobody speaks: every text is marked, longer and full of accents; braces stay. */
export function toPseudo<Words>(words: Words, direction: "ltr" | "rtl"): Words;
export function toPseudo(words: unknown, direction: "ltr" | "rtl"): unknown {
  if (typeof words === "string") return mark(words, direction);
  if (Array.isArray(words)) return words.map((word) => toPseudo(word, direction));
  if (typeof words !== "object" || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, toPseudo(value, direction)]));
}

function mark(text: string, direction: "ltr" | "rtl"): string {
  const accented = text.split(/(\{\w+\})/).map((part) =>
    part.startsWith("{") ? part : [...part].map((letter) => LETTERS.get(letter) ?? letter).join("")
  ).join("");
  const longer = `${accented} ${"~".repeat(Math.ceil(text.length / 5))}`;
  // The marks of a right-to-left override, and its end.
  return direction === "rtl" ? `⟦\u202e${longer}\u202c⟧` : `⟦${longer}⟧`;
}
