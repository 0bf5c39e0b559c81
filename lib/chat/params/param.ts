import { z } from "zod";
import { codePointLength } from "@/lib/core/text.ts";

/** A request parameter: encoding, schema, default and documentation. */
export interface Param<T> {
  /**
   * `text` is used unchanged, `json` is parsed; `either` is parsed if it is a JSON string, number or list,
   * otherwise used unchanged.
   */
  readonly encoding: "text" | "json" | "either";
  readonly schema: z.ZodType<T>;
  /** Value when the parameter is absent; undefined for a required parameter. */
  readonly fallback: { readonly value: T } | undefined;
  /** Description in the OpenAPI document. */
  readonly description: string | undefined;
  /** Older name under which clients may send the parameter instead. */
  readonly alias?: string;
}

/** Parameters by name, in the order in which they are validated. */
export type Params = Readonly<Record<string, Param<unknown>>>;

/** Values of validated parameters. */
export type ParamValues<P extends Params> = {
  readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never;
};

function param<T>(encoding: Param<T>["encoding"], schema: z.ZodType<T>): Param<T> {
  return { encoding, schema, fallback: undefined, description: undefined };
}

/** Defines plain text of at most `max` code points; `min` 1 rejects empty text. */
export function text({ max, min = 0 }: { max?: number; min?: 0 | 1 } = {}): Param<string> {
  return param("text", boundedString({ max, min }));
}

/** Defines plain text without surrounding white space, which does not count toward its length. */
export function trimmed({ max, min = 0 }: { max?: number; min?: 0 | 1 } = {}): Param<string> {
  return param("text", z.string().trim().pipe(boundedString({ max, min })));
}

/** Defines an integer, as JSON. */
export function int(): Param<number> {
  return param("json", z.int());
}

/** Defines one of several integers, as JSON. */
export function intChoice<const N extends number>(choices: readonly N[]): Param<N> {
  return param("json", z.int().pipe(z.literal([...choices])));
}

/** Defines a boolean, as JSON. */
export function bool(): Param<boolean> {
  return param("json", z.boolean());
}

/** Defines one of several plain texts. */
export function choice<const T extends string>(choices: readonly T[]): Param<T> {
  return param("text", z.literal([...choices]));
}

/** Defines a JSON list of integers. */
export function intList(): Param<number[]> {
  return param("json", z.array(z.int()));
}

/** Defines JSON that matches a schema. */
export function json<T>(schema: z.ZodType<T>): Param<T> {
  return param("json", schema);
}

/** Defines text that is sent plain or as a JSON string. */
export function textOrJson<T>(schema: z.ZodType<T>): Param<T> {
  return param("either", schema);
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

/** Returns the parameter with an older name under which clients may send it instead. */
export function aliased<T>(original: Param<T>, alias: string): Param<T> {
  return { ...original, alias };
}

/** Returns a schema for strings of limited length in code points. */
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
