/** A list of values whose JSON texts exist already, so that an answer does not serialize them again. */
export class JsonList {
  /** @param texts JSON texts of the values; one may hold several values, separated by commas. */
  constructor(readonly texts: readonly string[]) {}

  /** Returns the values, for code that serializes the list with `JSON.stringify`. */
  toJSON(): readonly unknown[] {
    return JSON.parse(`[${this.texts.join(",")}]`);
  }
}

/** Returns the JSON text of an object with the members of another one after its own; neither is empty. */
export function appendMembers(text: string, members: object): string {
  return `${text.slice(0, -1)},${JSON.stringify(members).slice(1)}`;
}
