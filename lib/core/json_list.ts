/** A list of values whose JSON texts exist already, so that an answer does not serialize them again. */
export class JsonList {
  /** @param texts JSON texts of the values; one may hold several values, separated by commas. */
  constructor(readonly texts: readonly string[]) {}

  /** Returns the values, for code that serializes the list with `JSON.stringify`. */
  toJSON(): readonly unknown[] {
    return JSON.parse(`[${this.texts.join(",")}]`);
  }
}
