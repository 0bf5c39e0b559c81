import { z } from "zod";
import { isLongerThan } from "@/lib/core/text.ts";

/** Default limit of plain text in code points, far above the limits that actions have for names and ids. */
export const MAX_TEXT = 250_000;
/** Maximum length of a JSON number, boolean or null. */
const MAX_SCALAR = 64;
/** Default limit of JSON: the size of the largest form. */
export const MAX_JSON = 1024 * 1024;

/** A request parameter: encoding, schema, default and documentation. */
export interface Param<T> {
  /**
   * `text` is used unchanged, `trimmed` without surrounding white space, `json` is parsed; `either` is parsed if
   * it is a JSON string, number or list, otherwise used unchanged.
   */
  readonly encoding: "text" | "trimmed" | "json" | "either";
  /** Maximum length of the text in code points; a longer one is refused before it is parsed. */
  readonly maxLength: number;
  /** Maximum number of values in its JSON, where that is less than for all JSON. */
  readonly maxValues?: number;
  readonly schema: z.ZodType<T>;
  /** Value when the parameter is absent; undefined for a required parameter. */
  readonly fallback: { readonly value: T } | undefined;
  /** Description in the OpenAPI document. */
  readonly description: string | undefined;
  /**
   * Whether NUL characters and lone surrogates are left to the action, because it refuses them or only compares
   * the text; otherwise they are removed and replaced.
   */
  readonly isExact?: boolean;
  /** Members of JSON whose numbers may have a fraction, also `5.0`; other such numbers are no integers. */
  readonly fractional?: readonly string[];
  /** Older name under which clients may send the parameter instead. */
  readonly alias?: string;
}

/** Parameters by name, in the order in which they are validated. */
export type Params = Readonly<Record<string, Param<unknown>>>;

export type ParamValues<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never;
};

function param<T>(encoding: Param<T>["encoding"], maxLength: number, schema: z.ZodType<T>): Param<T> {
  return { encoding, maxLength, schema, fallback: undefined, description: undefined };
}

/** Defines plain text of at most `max` code points; `min` 1 rejects empty text. */
export function text(bounds: { max?: number; min?: 0 | 1 } = {}): Param<string> {
  return param("text", bounds.max ?? MAX_TEXT, boundedString(bounds));
}

/** Defines plain text without surrounding white space, which does not count toward its length. */
export function trimmed(bounds: { max?: number; min?: 0 | 1 } = {}): Param<string> {
  return { ...text(bounds), encoding: "trimmed" };
}

/** Defines an integer, as JSON. */
export function int(): Param<number> {
  return scalar(z.int());
}

/** Defines one of several integers, as JSON. */
export function intChoice<const N extends number>(choices: readonly N[]): Param<N> {
  return scalar(z.int().pipe(z.literal([...choices])));
}

/** Defines a boolean, as JSON. */
export function bool(): Param<boolean> {
  return scalar(z.boolean());
}

/** Defines a JSON number, boolean or null that matches a schema. */
export function scalar<T>(schema: z.ZodType<T>): Param<T> {
  return param("json", MAX_SCALAR, schema);
}

/** Defines one of several plain texts. */
export function choice<const T extends string>(choices: readonly T[]): Param<T> {
  return param("text", MAX_TEXT, z.literal([...choices]));
}

/** Defines plain text that matches a schema. */
export function matching<T>(schema: z.ZodType<T, string>): Param<T> {
  return param("text", MAX_TEXT, schema);
}

/** Defines a JSON list of integers. */
export function intList(): Param<number[]> {
  return json(z.array(z.int()));
}

/** Defines JSON that matches a schema. */
export function json<T>(schema: z.ZodType<T>): Param<T> {
  return param("json", MAX_JSON, schema);
}

/** Defines text that is sent plain or as JSON, of at most `max` code points in either form. */
export function textOrJson<T>(schema: z.ZodType<T>, { max = MAX_TEXT }: { max?: number } = {}): Param<T> {
  return param("either", max, schema);
}

/** Returns the parameter as optional, undefined when absent. */
export function optional<T>(original: Param<T>): Param<T | undefined> {
  return { ...original, fallback: { value: undefined } };
}

/** Returns the parameter as optional, with a default value. */
export function withDefault<T>(original: Param<T>, value: T): Param<T> {
  return { ...original, fallback: { value } };
}

/** Returns the parameter with a description for the OpenAPI document. */
export function described<T>(original: Param<T>, description: string): Param<T> {
  return { ...original, description };
}

/** Returns the parameter with NUL characters and lone surrogates kept, for names, addresses, keys and passwords. */
export function exact<T>(original: Param<T>): Param<T> {
  return { ...original, isExact: true };
}

/** Returns the parameter with members whose numbers may have a fraction. */
export function fractional<T>(original: Param<T>, members: readonly string[]): Param<T> {
  return { ...original, fractional: members };
}

/** Returns the parameter with an older name under which clients may send it instead. */
export function aliased<T>(original: Param<T>, alias: string): Param<T> {
  return { ...original, alias };
}

/** Returns a schema for strings of limited length in code points. */
export function boundedString(
  { max, min = 0 }: { max?: number; min?: 0 | 1 } = {},
): z.ZodType<string, string> {
  const maximum = max ?? MAX_TEXT;
  const schema = z.string().superRefine((value, context) => {
    if (value.length < min) {
      context.addIssue({
        code: "too_small",
        origin: "string",
        minimum: min,
        inclusive: true,
        input: value,
        continue: false,
      });
    } else if (isLongerThan(value, maximum)) {
      context.addIssue({
        code: "too_big",
        origin: "string",
        maximum,
        inclusive: true,
        input: value,
        continue: false,
      });
    }
  });
  return max === undefined ? schema : schema.meta({ maxLength: max });
}

/**
 * Returns a schema for objects with any keys of at most `maxKey` code points. Unlike in the records of zod,
 * `__proto__` is a key like any other, and the first problem ends the validation.
 */
export function record<T>(
  value: z.ZodType<T>,
  { maxKey = MAX_TEXT }: { maxKey?: number } = {},
): z.ZodType<Readonly<Record<string, T>>> {
  const shape = z.record(maxKey === MAX_TEXT ? z.string() : z.string().meta({ maxLength: maxKey }), value);
  const { $schema: _, ...json } = z.toJSONSchema(shape, { io: "input" });
  return z.unknown().meta(json).transform((input, { issues }) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      issues.push({ code: "invalid_type", expected: "record", input });
      return z.NEVER;
    }
    const entries: [name: string, value: unknown][] = [];
    for (const [name, sent] of Object.entries(input)) {
      if (isLongerThan(name, maxKey)) {
        issues.push({ code: "invalid_key", origin: "record", issues: [], input: name, path: [name] });
        return z.NEVER;
      }
      const result = value._zod.run({ value: sent, issues: [] }, { reportInput: true });
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      if (result.issues.length > 0) {
        issues.push(...z.core.util.prefixIssues(name, result.issues));
        return z.NEVER;
      }
      entries.push([name, result.value]);
    }
    // Keeps `__proto__`, which an assignment would take for the prototype.
    return Object.fromEntries(entries);
  }).pipe(z.custom<Readonly<Record<string, T>>>());
}
