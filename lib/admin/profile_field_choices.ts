import type { FieldData } from "@/lib/chat/profile_fields/params.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "@/lib/chat/profile_fields/profile_field.ts";
import { parseFieldData } from "@/lib/chat/profile_fields/validate_field_data.ts";
import type { ChoiceRow, StoredChoice } from "@/components/admin/profile_fields/choice_rows.ts";

/** The choices of a field in their order, with how many people have each by its key; none for other types. */
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
 * The choices of a form as a field keeps them: rows with the key of a stored choice stay that choice, all others get a
 * key of their own; empty rows are left out.
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

/** The text that stands in several rows, or null. */
export function findTwice(rows: readonly ChoiceRow[]): string | null {
  const texts = rows.map(({ text }) => text.trim()).filter((text) => text !== "");
  return texts.find((text, at) => texts.indexOf(text) !== at) ?? null;
}
