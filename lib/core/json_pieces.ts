import { Buffer } from "node:buffer";

/** Length of a piece from which it is yielded, in UTF-16 units. */
const PIECE_LENGTH = 64 * 1024;
/** Length of the elements of a list that are serialized together, in UTF-16 units. */
const GROUP_LENGTH = PIECE_LENGTH / 16;
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

/** Returns the JSON text of an object, of which members may be lists of JSON texts. */
export function toJsonText(value: object): string {
  const hasTexts = Object.values(value).some((member) => member instanceof JsonList);
  return hasTexts ? [...objectParts(value)].join("") : JSON.stringify(value);
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
  if (value instanceof JsonList) {
    for (let at = 0; at < value.texts.length && left >= 0; at++) left -= value.texts[at]?.length ?? 0;
    return left;
  }
  // Faster than a list of the entries; values of responses inherit no members.
  for (const name in value) {
    left = measure(Reflect.get(value, name), left - name.length - 4);
    if (left < 0) return left;
  }
  return left;
}

function* jsonParts(value: unknown): Generator<string> {
  if (value instanceof JsonList) yield* textParts(value);
  else if (!isDivided(value)) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) yield* arrayParts(value);
  else yield* objectParts(value);
}

function* textParts({ texts }: JsonList): Generator<string> {
  yield "[";
  for (const [at, text] of texts.entries()) yield at > 0 ? `,${text}` : text;
  yield "]";
}

function* arrayParts(values: readonly unknown[]): Generator<string> {
  yield "[";
  for (let at = 0; at < values.length;) {
    if (at > 0) yield ",";
    const end = findGroupEnd(values, at);
    // Serializing many small elements together is much faster than one by one.
    if (end > at + 1) yield JSON.stringify(values.slice(at, end)).slice(1, -1);
    else yield* jsonParts(values[at]);
    at = end;
  }
  yield "]";
}

/** Returns the index after the elements that are serialized together, of which there is at least one. */
function findGroupEnd(values: readonly unknown[], from: number): number {
  let room = GROUP_LENGTH;
  let end = from;
  while (end < values.length && !(values[end] instanceof JsonList)) {
    room = measure(values[end], room);
    if (room < 0) break;
    end++;
  }
  return Math.max(end, from + 1);
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

/** A list of values whose JSON texts exist already, so that a response does not serialize them again. */
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

/** Returns the length of a text in bytes of UTF-8. */
export function countTextBytes(text: string): number {
  return Buffer.byteLength(text);
}
