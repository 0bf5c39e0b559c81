/** Length of a piece from which it is yielded, in UTF-16 units. */
const PIECE_LENGTH = 64 * 1024;
/** Length that an object, an array or a number counts with, in UTF-16 units. */
const PART_LENGTH = 8;

/**
 * Yields the JSON text of a value in pieces of some 64 KiB, so that a large value is never serialized at once;
 * only a single text is not divided. The joined pieces are the text of `JSON.stringify`.
 */
export function* jsonPieces(value: object): Generator<string> {
  let piece = "";
  for (const part of jsonParts(value)) {
    piece += part;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** Returns whether the JSON text of a value is longer than some UTF-16 units; examines no more than these. */
export function isJsonLongerThan(value: unknown, limit: number): boolean {
  return measure(value, limit) < 0;
}

/** Returns what is left of `room` after a value; negative as soon as the value exceeds it. */
function measure(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null) return room - PART_LENGTH;
  let left = room - PART_LENGTH;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = measure(value[at], left);
    return left;
  }
  for (const [name, member] of Object.entries(value)) {
    left = measure(member, left - name.length - 4);
    if (left < 0) return left;
  }
  return left;
}

function* jsonParts(value: unknown): Generator<string> {
  if (!isDivided(value)) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) yield* arrayParts(value);
  else yield* objectParts(value);
}

function* arrayParts(values: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [at, value] of values.entries()) {
    if (at > 0) yield ",";
    yield* jsonParts(value);
  }
  yield "]";
}

function* objectParts(value: object): Generator<string> {
  yield "{";
  let isFirst = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${isFirst ? "" : ","}${JSON.stringify(name)}:`;
    yield* jsonParts(member);
    isFirst = false;
  }
  yield "}";
}

function isDivided(value: unknown): value is object {
  return typeof value === "object" && value !== null && !("toJSON" in value) &&
    isJsonLongerThan(value, PIECE_LENGTH);
}
