import { cleanText } from "@/lib/core/text.ts";

/** Maximum number of values that are read as numbers, such as the users that a form chooses. */
const MAX_NUMBERS = 20_000;

/** Fields of a form; a name may occur several times. */
export class FormFields {
  readonly #values = new Map<string, string[]>();

  /** `files` holds the bytes of uploaded files. */
  constructor(
    sent: Iterable<readonly [name: string, value: string]>,
    readonly files: readonly Uint8Array[] = [],
  ) {
    for (const [name, value] of sent) this.#values.getOrInsertComputed(name, () => []).push(value);
  }

  /** Returns the last value of a name without NUL characters; empty without one. */
  text(name: string): string {
    return cleanText(this.exact(name));
  }

  /**
   * Returns the last value of a name as it was sent, for names, addresses and passwords: their rules refuse NUL
   * characters.
   */
  exact(name: string): string {
    return this.#values.get(name)?.at(-1) ?? "";
  }

  /** Whether a checkbox was checked. */
  flag(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns every value of a name, without NUL characters. */
  all(name: string): readonly string[] {
    return this.#values.get(name)?.map(cleanText) ?? [];
  }

  /** Returns a whole number; null for anything else. */
  int(name: string): number | null {
    const text = this.text(name).trim();
    return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
  }

  /** Returns the whole numbers among the first values of a name, which may be comma-separated. */
  ints(name: string): readonly number[] {
    const texts = this.all(name).flatMap((text) => text.split(",", MAX_NUMBERS)).slice(0, MAX_NUMBERS);
    return texts.filter((text) => /^\d{1,15}$/.test(text)).map(Number);
  }

  /** Returns all values except passwords, for a refused form. */
  typed(): TypedFields {
    const names = [...this.#values.keys()].filter((name) => !name.includes("password"));
    return Object.fromEntries(names.map((name) => [name, this.all(name)]));
  }
}

/** Submitted values of a refused form, by field name. */
export type TypedFields = Readonly<Record<string, readonly string[]>>;
