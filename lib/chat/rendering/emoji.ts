import common from "emojibase-data/en/shortcodes/github.json" with { type: "json" };
import complete from "emojibase-data/en/shortcodes/emojibase.json" with { type: "json" };

/** A standard emoji. */
export interface Emoji {
  /** The name it is shown with. */
  readonly name: string;
  /** Its code points, lowercase hexadecimal, joined by dashes, without variation selectors: `1f44d-1f3fd`. */
  readonly code: string;
}

/** Names and codes of the standard emoji. */
export interface EmojiTable {
  readonly byName: ReadonlyMap<string, Emoji>;
  readonly byCode: ReadonlyMap<string, Emoji>;
}

/** Names that chat users know and the data gives otherwise; the first for a code is the one shown. */
const OWN_NAMES: readonly (readonly [code: string, ...names: string[]])[] = [
  ["1f642", "smile"],
  ["1f604", "big_smile"],
  ["1f641", "frown"],
  ["1f44d", "+1", "thumbs_up", "like"],
  ["1f44e", "-1", "thumbs_down"],
  ["2764", "heart", "love"],
  ["1f389", "tada"],
  ["1f440", "eyes"],
  ["2705", "check", "all_good"],
  ["1f6e0", "working_on_it", "tools"],
];

/** Builds the table; a few milliseconds. */
export function createEmojiTable(): EmojiTable {
  const byName = new Map<string, Emoji>();
  const byCode = new Map<string, Emoji>();
  const add = (code: string, names: readonly string[]) => {
    for (const name of names) {
      if (byName.has(name)) continue;
      const emoji = byCode.get(code) ?? { name, code };
      byName.set(name, emoji);
      byCode.set(code, emoji);
    }
  };
  for (const [code, ...names] of OWN_NAMES) add(code, names);
  for (const set of [common, complete]) {
    const entries: [string, string | string[]][] = Object.entries(set);
    for (const [key, names] of entries) add(toEmojiCode(key), typeof names === "string" ? [names] : names);
  }
  return { byName, byCode };
}

/** The code of hexadecimal code points joined by dashes. */
function toEmojiCode(hexadecimal: string): string {
  return hexadecimal.toLowerCase().replace(/-fe0f/g, "");
}

/** Computes a value when it is first asked for. */
function once<T>(compute: () => T): () => T {
  const kept: T[] = [];
  return () => {
    const [first] = kept;
    if (first !== undefined) return first;
    const value = compute();
    kept.push(value);
    return value;
  };
}

const emojiTable = once(createEmojiTable);

/** The standard emoji of that name, or null. */
export function lookupEmoji(name: string): Emoji | null {
  return emojiTable().byName.get(name) ?? null;
}

/** The standard emoji of that code, or null. */
export function emojiByCode(code: string): Emoji | null {
  return emojiTable().byCode.get(code) ?? null;
}

/** The standard emoji that the characters are, or null. */
export function emojiByCharacters(characters: string): Emoji | null {
  const points = [...characters].map((char) => char.codePointAt(0) ?? 0).filter((point) => point !== 0xfe0f);
  return emojiByCode(points.map((point) => point.toString(16).padStart(4, "0")).join("-"));
}
