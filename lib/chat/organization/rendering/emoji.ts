import { once } from "es-toolkit/function/once";
import common from "emojibase-data/en/shortcodes/github.json" with { type: "json" };
import complete from "emojibase-data/en/shortcodes/emojibase.json" with { type: "json" };
import type { CustomEmojiRef } from "./context.ts";
import { renderElement, renderStartTag } from "./html.ts";
import { toSafeImageSource } from "./urls.ts";

export interface Emoji {
  /** Display name. */
  readonly name: string;
  /** Lowercase hexadecimal code points joined by dashes, without variation selectors: `1f44d-1f3fd`. */
  readonly code: string;
}

/** Standard emoji by name and by code. */
interface EmojiTable {
  readonly byName: ReadonlyMap<string, Emoji>;
  readonly byCode: ReadonlyMap<string, Emoji>;
}

/** Names that override the data set; the first name of a code is its display name. */
const PREFERRED_NAMES: readonly (readonly [code: string, ...names: string[]])[] = [
  ["1f642", "smile", "slight_smile"],
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

/** Creates the table, in a few milliseconds. */
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
  for (const [code, ...names] of PREFERRED_NAMES) add(code, names);
  for (const set of [common, complete]) {
    const entries: [string, string | string[]][] = Object.entries(set);
    for (const [key, names] of entries) {
      add(key.toLowerCase().replaceAll("-fe0f", ""), typeof names === "string" ? [names] : names);
    }
  }
  return { byName, byCode };
}

const getEmojiTable = once(createEmojiTable);

/** Finds a standard emoji by name; null when there is none. */
export function findEmojiByName(name: string): Emoji | null {
  return getEmojiTable().byName.get(name) ?? null;
}

/** Finds a standard emoji by code; null when there is none. */
export function findEmojiByCode(code: string): Emoji | null {
  return getEmojiTable().byCode.get(code) ?? null;
}

/** Finds the standard emoji of some characters; null when there is none. */
export function findEmojiByCharacters(characters: string): Emoji | null {
  const points = [...characters].map((char) => char.codePointAt(0) ?? 0).filter((point) => point !== 0xfe0f);
  return findEmojiByCode(points.map((point) => point.toString(16).padStart(4, "0")).join("-"));
}

/** Lists the names of each standard emoji by code; the display name is the first. */
export function listEmojiNames(): Readonly<Record<string, readonly string[]>> {
  const names: Record<string, string[]> = {};
  for (const [name, { code }] of getEmojiTable().byName) (names[code] ??= []).push(name);
  return names;
}

export function renderEmoji({ name, code }: Emoji): string {
  const title = name.replaceAll("_", " ");
  const attributes = { "aria-label": title, class: `emoji emoji-${code}`, role: "img", title };
  return renderElement("span", attributes, `:${name}:`);
}

/** Renders a custom emoji; null when it has no image on this server. */
export function renderCustomEmoji(name: string, { url }: CustomEmojiRef, realmUrl: string): string | null {
  const src = url === undefined ? null : toSafeImageSource(url, realmUrl);
  if (src === null) return null;
  return renderStartTag("img", { alt: `:${name}:`, class: "emoji", src, title: name.replaceAll("_", " ") });
}
