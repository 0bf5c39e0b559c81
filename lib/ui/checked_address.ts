/** An address to invite as the server parsed it. */
export interface CheckedAddress {
  readonly email: string;
  /** Name before the address, or empty. */
  readonly name: string;
  /** Why it cannot be invited; null when it can. */
  readonly problem: string | null;
}

/** Reads addresses from the result of a form; drops anything of another shape. */
export function toCheckedAddresses(value: unknown): readonly CheckedAddress[] {
  return Array.isArray(value) ? value.filter(isChecked) : [];
}

/** Formats an address for a list, with its name before it. */
export function toListed({ email, name }: Pick<CheckedAddress, "email" | "name">): string {
  return name === "" ? email : `"${name.replace(/["\\]/g, "\\$&")}" <${email}>`;
}

/** Merges two lists; each address appears once. */
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
