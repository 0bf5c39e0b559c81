import { z } from "zod";
import { codePointLength } from "@/lib/core/text.ts";

/** One parameter of a request: how its text becomes a value, what the value must be, and what it is for. */
export interface Param<T> {
  /** `text` is taken as it stands, `json` is parsed, `either` is parsed when it is a JSON string, number or list, and else taken as it stands. */
  readonly encoding: "text" | "json" | "either";
  readonly schema: z.ZodType<T>;
  /** What the value is without the parameter; undefined where it must be sent. */
  readonly fallback: { readonly value: T } | undefined;
  /** For the API's documentation. */
  readonly description: string | undefined;
}

/** Parameters by name, in the order in which they are checked. */
export type Params = Readonly<Record<string, Param<unknown>>>;

/** The values of checked parameters. */
export type ParamValues<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never;
};

function param<T>(encoding: Param<T>["encoding"], schema: z.ZodType<T>): Param<T> {
  return { encoding, schema, fallback: undefined, description: undefined };
}

/** Plain text of at most `max` code points; `min` 1 refuses the empty text. */
export function text({ max, min = 0 }: { max?: number; min?: 0 | 1 } = {}): Param<string> {
  return param("text", boundedString({ max, min }));
}

/** Plain text without the blanks around it; its length is judged without them. */
export function trimmed({ max, min = 0 }: { max?: number; min?: 0 | 1 } = {}): Param<string> {
  return param("text", z.string().trim().pipe(boundedString({ max, min })));
}

/** A whole number as JSON. */
export function int(): Param<number> {
  return param("json", z.int());
}

/** One of some whole numbers, as JSON. */
export function intChoice<const N extends number>(choices: readonly N[]): Param<N> {
  return param("json", z.int().pipe(z.literal([...choices])));
}

/** `true` or `false`, as JSON. */
export function bool(): Param<boolean> {
  return param("json", z.boolean());
}

/** One of some words, as plain text. */
export function choice<const T extends string>(choices: readonly T[]): Param<T> {
  return param("text", z.literal([...choices]));
}

/** Whole numbers as a JSON list. */
export function intList(): Param<number[]> {
  return param("json", z.array(z.int()));
}

/** Anything that a schema describes, as JSON. */
export function json<T>(schema: z.ZodType<T>): Param<T> {
  return param("json", schema);
}

/** Text that may be sent plain or as a JSON string. */
export function textOrJson<T>(schema: z.ZodType<T>): Param<T> {
  return param("either", schema);
}

/** The same parameter, which may be left out; its value is then undefined. */
export function optional<T>(original: Param<T>): Param<T | undefined> {
  return { ...original, fallback: { value: undefined } };
}

/** The same parameter, which may be left out and then has this value. */
export function withDefault<T>(original: Param<T>, value: T): Param<T> {
  return { ...original, fallback: { value } };
}

/** The same parameter with a line for the API's documentation. */
export function described<T>(original: Param<T>, description: string): Param<T> {
  return { ...original, description };
}

/** A string of bounded length in code points. */
export function boundedString(
  { max, min = 0 }: { max?: number | undefined; min?: 0 | 1 },
): z.ZodType<string, string> {
  const schema = z.string().superRefine((value, context) => {
    if (value.length < min) {
      context.addIssue({ code: "too_small", origin: "string", minimum: min, inclusive: true, input: value });
    } else if (max !== undefined && codePointLength(value) > max) {
      context.addIssue({ code: "too_big", origin: "string", maximum: max, inclusive: true, input: value });
    }
  });
  return max === undefined ? schema : schema.meta({ maxLength: max });
}
