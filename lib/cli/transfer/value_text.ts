import { z } from "zod";
import { toValue } from "@/lib/store/key.ts";

/**
 * A value of the store as JSON has it. Numbers, texts, booleans, null, lists and objects are themselves; any other
 * value is an object with one name that begins with TAG.
 */
type JsonForm =
  | string
  | number
  | boolean
  | null
  | readonly JsonForm[]
  | { readonly [name: string]: JsonForm };

/** Beginning of the names that mark other kinds of values. An object with such a name is marked itself. */
const TAG = "$";

/**
 * Returns the JSON form of a stored value or of a part of a key, from which `fromJsonForm` makes an equal value.
 * @throws TypeError for a value of a kind that is not supported, so that nothing is exported in part.
 */
export function toJsonForm(value: unknown): JsonForm {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return isPlainNumber(value) ? value : { $number: numberText(value) };
  if (typeof value === "bigint") return { $bigint: String(value) };
  if (value === undefined) return { $undefined: true };
  if (Array.isArray(value) && isDense(value)) return value.map(toJsonForm);
  if (typeof value === "object") return toObjectForm(value);
  throw new TypeError(`A value of the type ${typeof value} cannot be exported`);
}

function toObjectForm(value: object): JsonForm {
  if (value instanceof Deno.KvU64) return { $u64: String(value.value) };
  if (value instanceof Uint8Array) return { $bytes: value.toBase64() };
  if (value instanceof Float64Array) return { $float64: toFloatBytes(value).toBase64() };
  if (value instanceof Date) return { $date: toJsonForm(value.getTime()) };
  if (value instanceof Set) return { $set: Array.from(value, toJsonForm) };
  if (value instanceof Map) return { $map: Array.from(value, toPair) };
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`A value of the type ${value.constructor.name} cannot be exported`);
  }
  const fields = Object.entries(value);
  if (fields.some(([name]) => name.startsWith(TAG))) return { $object: fields.map(toPair) };
  return Object.fromEntries(fields.map(([name, field]) => [name, toJsonForm(field)]));
}

function toPair([first, second]: readonly [unknown, unknown]): JsonForm {
  return [toJsonForm(first), toJsonForm(second)];
}

function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function isDense(list: readonly unknown[]): boolean {
  return Object.keys(list).length === list.length;
}

/** Returns the bytes of numbers, least significant byte first on every machine. */
function toFloatBytes(numbers: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((number, at) => view.setFloat64(8 * at, number, true));
  return new Uint8Array(view.buffer);
}

function fromFloatBytes(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: bytes.length / 8 }, (_, at) => view.getFloat64(8 * at, true));
}

const text = z.string();
const pairs = z.array(z.tuple([z.unknown(), z.unknown()]));
const list = z.array(z.unknown());

/** Makes the value of each kind from the content of its mark. */
const KINDS: Readonly<Record<string, (content: unknown) => unknown>> = {
  $number: (content) => Number(z.enum(["-0", "NaN", "Infinity", "-Infinity"]).parse(content)),
  $bigint: (content) => BigInt(text.regex(/^-?\d+$/).parse(content)),
  $u64: (content) => new Deno.KvU64(BigInt(text.regex(/^\d+$/).parse(content))),
  $undefined: () => undefined,
  $bytes: (content) => Uint8Array.fromBase64(text.parse(content)),
  $float64: (content) => fromFloatBytes(Uint8Array.fromBase64(text.parse(content))),
  $date: (content) => new Date(z.union([z.number(), z.nan()]).parse(fromJsonForm(content))),
  $set: (content) => new Set(list.parse(content).map(fromJsonForm)),
  $map: (content) => new Map(fromPairs(content)),
  $object: (content) => Object.fromEntries(fromPairs(content)),
};

/** @throws Error for a form that `toJsonForm` does not make. */
export function fromJsonForm(form: unknown): unknown {
  if (typeof form !== "object" || form === null) return form;
  if (Array.isArray(form)) return form.map(fromJsonForm);
  const fields = Object.entries(form);
  const [mark] = fields;
  if (fields.length === 1 && mark?.[0].startsWith(TAG) === true) {
    const make = Object.hasOwn(KINDS, mark[0]) ? KINDS[mark[0]] : undefined;
    if (make === undefined) throw new TypeError(`The kind ${mark[0]} is not known`);
    return make(mark[1]);
  }
  return Object.fromEntries(fields.map(([name, field]) => [name, fromJsonForm(field)]));
}

function fromPairs(content: unknown): [string, unknown][] {
  return pairs.parse(content).map((
    [first, second],
  ) => [toValue<string>(fromJsonForm(first)), fromJsonForm(second)]);
}
