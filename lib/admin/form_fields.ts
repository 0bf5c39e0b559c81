/** What a form sent: a name may come several times. */
export class FormFields {
  /** `files` are the bytes of what a form of a page for files held. */
  constructor(private readonly sent: URLSearchParams, readonly files: readonly Uint8Array[] = []) {}

  /** The last value of a name; empty where there is none. */
  text(name: string): string {
    return this.sent.getAll(name).at(-1) ?? "";
  }

  /** Whether a box was ticked. */
  flag(name: string): boolean {
    return this.sent.has(name);
  }

  /** Every value of a name. */
  all(name: string): readonly string[] {
    return this.sent.getAll(name);
  }

  /** A whole number; null for what is none. */
  int(name: string): number | null {
    const text = this.text(name).trim();
    return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
  }

  /** The whole numbers among the values of a name, which may hold several with commas between them. */
  ints(name: string): readonly number[] {
    return this.all(name).flatMap((text) => text.split(",")).filter((text) => /^\d{1,15}$/.test(text)).map(
      Number,
    );
  }

  /** Everything but passwords, as it goes back into a refused form. */
  typed(): TypedFields {
    const names = [...new Set(this.sent.keys())].filter((name) => !name.includes("password"));
    return Object.fromEntries(names.map((name) => [name, this.all(name)]));
  }
}

/** What was typed into a refused form, by the field's name. */
export type TypedFields = Readonly<Record<string, readonly string[]>>;
