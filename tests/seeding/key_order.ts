import type { Key } from "@/lib/store/key.ts";

/** Compares texts by their code units, as the store orders most of them. */
export function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Compares keys of texts and numbers in the order of the store. */
export function byKey(one: Key, other: Key): number {
  for (const [at, part] of one.entries()) {
    const against = other[at];
    if (part === against) continue;
    if (against === undefined) return 1;
    if (typeof part === "number" && typeof against === "number") return part - against;
    // Texts come before numbers.
    if (typeof part !== typeof against) return typeof part === "string" ? -1 : 1;
    return byText(String(part), String(against));
  }
  return one.length - other.length;
}
