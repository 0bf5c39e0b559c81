/** An address of a list that people are invited by, as the server understood it. */
export interface CheckedAddress {
  readonly email: string;
  /** What stood before the address, or empty. */
  readonly name: string;
  /** Why nobody can be invited by it; null where that is fine. */
  readonly problem: string | null;
}

/** The addresses in what a page's form gave; whatever has another shape is left out. */
export function toCheckedAddresses(value: unknown): readonly CheckedAddress[] {
  return Array.isArray(value) ? value.filter(isChecked) : [];
}

/** An address as a list takes it, with its name before it. */
export function toListed({ email, name }: Pick<CheckedAddress, "email" | "name">): string {
  return name === "" ? email : `"${name.replace(/["\\]/g, "\\$&")}" <${email}>`;
}

/** Both lists as one, where each address stands once. */
export function mergeAddresses(
  one: readonly CheckedAddress[],
  other: readonly CheckedAddress[],
): readonly CheckedAddress[] {
  const known = new Set(one.map(({ email }) => email.toLowerCase()));
  return [...one, ...other.filter(({ email }) => !known.has(email.toLowerCase()))];
}

function isChecked(value: unknown): value is CheckedAddress {
  if (typeof value !== "object" || value === null) return false;
  const problem = Reflect.get(value, "problem");
  return typeof Reflect.get(value, "email") === "string" && typeof Reflect.get(value, "name") === "string" &&
    (problem === null || typeof problem === "string");
}
