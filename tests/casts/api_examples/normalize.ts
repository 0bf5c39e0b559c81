import { ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";

/** Number of objects that are left of a list. */
const MAX_LISTED = 2;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const UPLOAD_FOLDER = /(?<!\/user_exports\/\d+\/)\b[0-9a-f]{1,2}\/[\w-]{24}(?=\/)/g;
const EXPORT_SECRET = /(?<=\/user_exports\/\d+\/\d+\/)[\w-]{24}/g;
const JOIN_KEY = /(?<=\/join\/m\d+-)[a-z2-7]{32}/g;
const SHORT_ID = new RegExp(`[${ZERO_WIDTH_CHARACTERS.join("")}]{5,}`, "gu");
const ENCODED_SHORT_ID = /(?:%E2%80%8[CD]|%F3%A0%81%[0-9A-F]{2}){5,}/g;
/** A short id: "example" in tag letters. */
const FIXED_SHORT_ID = [..."example"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
  .join("");
/** Texts in place of passwords and of what depends on random keys, by the name of their field. */
const FIXED: Readonly<Record<string, string>> = {
  password: "violet kettle seldom 42",
  bouncer_public_key: new Uint8Array(32).fill(1).toBase64(),
  encrypted_push_registration: new Uint8Array(108).fill(2).toBase64(),
};

/**
 * Returns JSON with fixed texts in place of passwords and random texts, and with the first objects of each list.
 * Equal random ids become equal texts.
 */
export function normalizeExample<T>(example: T): T {
  const uuids = new Map<string, string>();
  const nextUuid = () => `00000000-0000-4000-8000-${String(uuids.size + 1).padStart(12, "0")}`;
  const toFixed = (text: string) =>
    text.replaceAll(UUID, (uuid) => uuids.getOrInsertComputed(uuid, nextUuid))
      .replaceAll(UPLOAD_FOLDER, `1f/${"Ab3-".repeat(6)}`)
      .replaceAll(EXPORT_SECRET, "Ab3-".repeat(6))
      .replaceAll(JOIN_KEY, "abcd2345".repeat(4))
      .replaceAll(SHORT_ID, FIXED_SHORT_ID)
      .replaceAll(ENCODED_SHORT_ID, encodeURIComponent(FIXED_SHORT_ID));
  return JSON.parse(JSON.stringify(example), (name, value: unknown) => {
    if (typeof value === "string") return FIXED[name] ?? toFixed(value);
    return Array.isArray(value) ? shortenList(value) : value;
  });
}

function shortenList(list: readonly unknown[]): readonly unknown[] {
  const isOfObjects = list.some((item) => typeof item === "object" && item !== null);
  return isOfObjects ? list.slice(0, MAX_LISTED) : list;
}
