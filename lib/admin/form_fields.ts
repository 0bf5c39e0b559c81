/** Fields of a form; a name may occur several times. */
export class FormFields {
  /** `files` holds the bytes of uploaded files. */
  constructor(private readonly sent: URLSearchParams, readonly files: readonly Uint8Array[] = []) {}

  /** Returns the last value of a name; empty without one. */
  text(name: string): string {
    return this.sent.getAll(name).at(-1) ?? "";
  }

  /** Whether a checkbox was checked. */
  flag(name: string): boolean {
    return this.sent.has(name);
  }

  /** Returns every value of a name. */
  all(name: string): readonly string[] {
    return this.sent.getAll(name);
  }

  /** Returns a whole number; null for anything else. */
  int(name: string): number | null {
    const text = this.text(name).trim();
    return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
  }

  /** Returns the whole numbers among the values of a name, which may be comma-separated. */
  ints(name: string): readonly number[] {
    return this.all(name).flatMap((text) => text.split(",")).filter((text) => /^\d{1,15}$/.test(text)).map(
      Number,
    );
  }

  /** Returns all values except passwords, for a refused form. */
  typed(): TypedFields {
    const names = [...new Set(this.sent.keys())].filter((name) => !name.includes("password"));
    return Object.fromEntries(names.map((name) => [name, this.all(name)]));
  }
}

/** Submitted values of a refused form, by field name. */
export type TypedFields = Readonly<Record<string, readonly string[]>>;
