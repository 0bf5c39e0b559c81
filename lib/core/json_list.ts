/** A list of values whose JSON texts exist already, so that an answer does not serialize them again. */
export class JsonList {
  constructor(readonly texts: readonly string[]) {}

  /** Returns the values, for code that serializes the list with `JSON.stringify`. */
  toJSON(): readonly unknown[] {
    return this.texts.map((text): unknown => JSON.parse(text));
  }
}
