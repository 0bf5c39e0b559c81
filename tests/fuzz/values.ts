import fc, { codePoint } from "@/tests/helpers/fast_check.ts";
import type { Schema, WalkedParam } from "@/tests/helpers/api_walk.ts";
import { type Kind, kindOf, placeholder } from "./known_ids.ts";

/** Texts that programs stumble over. */
export const HOSTILE_TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\r\nx-injected: 1",
  "\u202e\u2066abc",
  "\ufeff",
  "\ufffe\uffff",
  "a" + "\u0300".repeat(200),
  "\udcff\udcfe",
  "\udced\udca0\udc80",
  "caf\udce9",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "\u{e0061}\u200b\u200d\u2060",
  "ﷺ".repeat(20),
  "İßſK",
  "١٢٣",
  "𝟜𝟚",
  "../../../../etc/passwd",
  "%00%ff%zz",
  "'\"><script>alert(1)</script>",
  "{{7*7}}${7*7}",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e999",
  "1e3",
  "0x10",
  "+1",
  "1.0",
  "9007199254740993",
  "99999999999999999999999",
  "[]",
  "{}",
  "[",
  '{"a":',
  '{"__proto__":{"a":1}}',
  '"\\ud800"',
  "[null]",
  "true",
];

const INTEGERS = [
  0,
  -0,
  1,
  -1,
  2,
  100,
  255,
  256,
  5000,
  5001,
  65_536,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  1e18,
  1e21,
  1e300,
  0.5,
  -1.5,
];
const TEXTS = [
  "roses",
  "main",
  "Beds and borders",
  "a b c",
  "@**Owner** @**all** #**main>roses** :smile: `code` https://example.com/a?b=c#d",
  "> quote\n\n* list\n  * more\n\n|a|b|\n|-|-|\n|1|2|\n\n```ts\nlet a\n```",
  "[x](https://example.com) ![y](/user_uploads/1/a.png) TICKET-12",
  "https://example.com/",
  "person@example.com",
  "example.com",
  "🌹",
];
const MAX_DEPTH = 5;
const MAX_INDEX = 25;

/** Returns arbitrary values for the schemas of one API description. */
export class Values {
  readonly #byParam = new Map<string, fc.Arbitrary<string>>();
  readonly #refs = new Map<string, fc.Arbitrary<unknown>>();

  constructor(private readonly schemas: Readonly<Record<string, Schema>>) {}

  /** Returns texts that match the schema of a parameter, as they are sent before they are encoded. */
  valid({ name, schema, isJson }: WalkedParam): fc.Arbitrary<string> {
    const key = `${isJson} ${name} ${JSON.stringify(schema)}`;
    const known = this.#byParam.get(key);
    if (known !== undefined) return known;
    const created = this.#value(schema, name, 0).map((value) => toText(value, isJson));
    this.#byParam.set(key, created);
    return created;
  }

  /** Returns texts that are at the limits of a parameter's schema, of another type, hostile or huge. */
  wild({ name, schema, isJson }: WalkedParam): fc.Arbitrary<string> {
    return fc.oneof(
      { weight: 8, arbitrary: this.#boundary(schema, name).map((value) => toText(value, isJson)) },
      { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => toText(value, isJson)) },
      { weight: 8, arbitrary: hostileText().map((text) => toText(text, isJson)) },
      { weight: 4, arbitrary: hostileText() },
      { weight: 1, arbitrary: hugeText() },
    );
  }

  #value(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    const { $ref, anyOf, oneOf, type } = schema;
    if (depth > MAX_DEPTH) return fc.constant(null);
    if (typeof $ref === "string") return this.#reference($ref, name, depth);
    const choices: readonly Schema[] | undefined = anyOf ?? oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map((one) => this.#value(one, name, depth)));
    if (schema["const"] !== undefined) return fc.constant(schema["const"]);
    if (schema["enum"] !== undefined) return fc.constantFrom(...schema["enum"]);
    if (Array.isArray(type)) {
      return fc.oneof(...type.map((one: string) => this.#value({ ...schema, type: one }, name, depth)));
    }
    switch (type) {
      case "array":
        return this.#array(schema, name, depth);
      case "object":
        return this.#object(schema, name, depth);
      case "integer":
      case "number":
        return integerOf(schema, name);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      default:
        return textOf(schema, name);
    }
  }

  #reference(reference: string, name: string, depth: number): fc.Arbitrary<unknown> {
    const key = `${reference} ${name} ${depth}`;
    const known = this.#refs.get(key);
    if (known !== undefined) return known;
    const created = this.#value(this.schemas[reference.split("/").at(-1) ?? ""] ?? {}, name, depth + 1);
    this.#refs.set(key, created);
    return created;
  }

  #array({ items, prefixItems }: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (Array.isArray(prefixItems)) {
      return fc.tuple(...prefixItems.map((item) => this.#value(item, name, depth + 1)));
    }
    return fc.array(this.#value(items ?? {}, name, depth + 1), { maxLength: 4 });
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, name: string, depth: number) {
    const members = Object.entries<Schema>(properties).map(([member, schema]) =>
      [member, this.#value(schema, member, depth + 1)] as const
    );
    const requiredKeys = members.map(([member]) => member).filter((member) => required.includes(member));
    const record = fc.record(Object.fromEntries(members), { requiredKeys });
    if (typeof additionalProperties !== "object") return record;
    const others = fc.dictionary(
      fc.oneof(fc.constantFrom(...TEXTS), knownId(name, "user")).map(String),
      this.#value(additionalProperties, name, depth + 1),
      { maxKeys: 3, noNullPrototype: true },
    );
    return fc.tuple(record, others).map(([one, other]) => ({ ...other, ...one }));
  }

  #boundary(schema: Schema, name: string): fc.Arbitrary<unknown> {
    const { minimum, maximum, maxLength, maxItems, items } = schema;
    const numbers = [minimum, maximum].filter((limit) => typeof limit === "number")
      .flatMap((limit) => [limit, limit - 1, limit + 1]);
    const found: fc.Arbitrary<unknown>[] = [fc.constantFrom(...INTEGERS, ...numbers)];
    if (typeof maxLength === "number") {
      const unit = fc.constantFrom("a", "é", "🌹", "\u0301", " ", "\n", "*", "`", "@");
      const length = fc.constantFrom(maxLength, maxLength + 1, Math.max(0, maxLength - 1));
      found.push(fc.tuple(unit, length).map(([text, count]) => text.repeat(count)));
    }
    if (schema["type"] === "array") {
      const length = fc.constantFrom(0, 1, (maxItems ?? 1000) - 1, maxItems ?? 1000, (maxItems ?? 1000) + 1);
      const item = this.#value(items ?? {}, name, 1);
      found.push(fc.tuple(item, length).map(([one, count]) => Array.from({ length: count }, () => one)));
    }
    return fc.oneof(...found);
  }
}

/** Text of a value: of JSON, unless the parameter takes plain text. */
function toText(value: unknown, isJson: boolean): string {
  return typeof value === "string" && !isJson ? value : JSON.stringify(value) ?? "";
}

/** Returns texts with characters, bytes and forms that programs stumble over. */
export function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 80 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
    { weight: 1, arbitrary: fc.array(rawByte(), { maxLength: 12 }).map((bytes) => bytes.join("")) },
  );
}

/** Code units that are sent as single bytes. */
function rawByte(): fc.Arbitrary<string> {
  return fc.integer({ min: 0, max: 0xff }).map((byte) =>
    String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte)
  );
}

/** Returns texts that are longer than any limit allows, or deeper. */
export function hugeText(): fc.Arbitrary<string> {
  return fc.tuple(
    fc.constantFrom("a", "🌹", "[", '{"a":', "1,", "> ", "* ", "**", "@**Owner** ", "\udcff", "%", "\0"),
    fc.constantFrom(1000, 10_001, 65_537, 200_000),
  ).map(([unit, count]) => unit.repeat(Math.ceil(count / unit.length)));
}

/** Returns placeholders of the records that a name refers to. */
function knownId(name: string, otherwise: Kind): fc.Arbitrary<number> {
  return fc.nat({ max: MAX_INDEX }).map((number) => placeholder(kindOf(name) ?? otherwise, number));
}

function integerOf({ minimum = 0, maximum = 1000 }: Schema, name: string): fc.Arbitrary<number> {
  const min = Math.max(-1000, minimum);
  const any = fc.integer({ min, max: Math.max(min, Math.min(maximum, 100_000)) });
  if (kindOf(name) === null) return any;
  return fc.oneof({ weight: 9, arbitrary: knownId(name, "user") }, { weight: 1, arbitrary: any });
}

function textOf({ maxLength = 10_000, pattern, minLength = 0 }: Schema, name: string): fc.Arbitrary<string> {
  const kind = kindOf(name);
  const usual = fc.constantFrom(...TEXTS).map((text) => text.slice(0, maxLength).padEnd(minLength, "x"));
  const found: fc.WeightedArbitrary<string>[] = [
    { weight: 3, arbitrary: usual },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: Math.min(maxLength, 60), minLength }) },
  ];
  if (kind !== null) found.push({ weight: 9, arbitrary: knownId(name, kind).map(String) });
  if (typeof pattern === "string") found.push({ weight: 9, arbitrary: matching(pattern) });
  return fc.oneof(...found);
}

/** Returns texts that match a pattern, as far as the library understands it. */
function matching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    return fc.constant("");
  }
}
