import { FIELD_TYPE, type ProfileFieldRecord } from "@/lib/chat/profile_fields/model/profile_field.ts";
import { type FieldData, parseFieldData } from "@/lib/chat/profile_fields/model/field_data.ts";
import type { ChoiceRow, StoredChoice } from "@/components/admin/profile_fields/choice_rows.ts";

/**
 * Returns the choices of a field in order, with the number of users of each by its key; none for other types.
 */
export function storedChoices(
  { type, field_data }: ProfileFieldRecord,
  counts: ReadonlyMap<string, number>,
): readonly StoredChoice[] {
  if (type !== FIELD_TYPE.choice) return [];
  return Object.entries(parseFieldData(field_data)).map(([key, choice]) => {
    const { text = "", order = "" } = typeof choice === "string" ? {} : choice;
    return { key, text, order: Number(order), people: counts.get(key) ?? 0 };
  }).sort((one, other) => one.order - other.order).map(({ key, text, people }) => ({ key, text, people }));
}

/**
 * Converts the choices of a form to stored ones: rows with the key of a stored choice remain that choice,
 * others get a new key, empty rows are dropped.
 */
export function toChoiceData(stored: readonly StoredChoice[], rows: readonly ChoiceRow[]): FieldData {
  const free = new Set(stored.map(({ key }) => key));
  let next = Math.max(-1, ...stored.map(({ key }) => Number(key)).filter(Number.isSafeInteger)) + 1;
  const filled = rows.filter(({ text }) => text.trim() !== "");
  return Object.fromEntries(filled.map(({ key, text }, at) => {
    const isStored = free.delete(key);
    return [isStored ? key : String(next++), { text: text.trim(), order: String(at + 1) }];
  }));
}

/** Returns the text of several rows, or null. */
export function findTwice(rows: readonly ChoiceRow[]): string | null {
  const texts = rows.map(({ text }) => text.trim()).filter((text) => text !== "");
  return texts.find((text, at) => texts.indexOf(text) !== at) ?? null;
}
