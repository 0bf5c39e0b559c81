/** Readable letters that no catalogue contains. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter, at) => [
    letter,
    [..."áƀçđéƒǧħíĵķłɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁṀÑÓƤɊŔŠŤÚṼŴẊÝŽ"][at] ?? letter,
  ]),
);

/**
 * Converts a catalogue to a pseudo-language: every message is marked, longer and accented; placeholders stay.
 */
export function toPseudo<Messages>(messages: Messages, direction: "ltr" | "rtl"): Messages;
export function toPseudo(messages: unknown, direction: "ltr" | "rtl"): unknown {
  if (typeof messages === "string") return mark(messages, direction);
  if (Array.isArray(messages)) return messages.map((word) => toPseudo(word, direction));
  if (typeof messages !== "object" || messages === null) return messages;
  return Object.fromEntries(
    Object.entries(messages).map(([name, value]) => [name, toPseudo(value, direction)]),
  );
}

function mark(text: string, direction: "ltr" | "rtl"): string {
  const accented = text.split(/(\{\w+\})/).map((part) =>
    part.startsWith("{") ? part : [...part].map((letter) => LETTERS.get(letter) ?? letter).join("")
  ).join("");
  const longer = `${accented} ${"~".repeat(Math.ceil(text.length / 5))}`;
  // Marks of a right-to-left override and its end.
  return direction === "rtl" ? `⟦\u202e${longer}\u202c⟧` : `⟦${longer}⟧`;
}
