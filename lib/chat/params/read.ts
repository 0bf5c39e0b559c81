import { AppError } from "@/lib/core/errors.ts";
import type { Param, Params, ParamValues } from "./param.ts";
import { toParamError } from "./problem.ts";

/** Checked parameters, and the names that nobody asked for. */
export interface ReadParams<P extends Params> {
  readonly values: ParamValues<P>;
  /** Sorted. */
  readonly ignored: string[];
}

/**
 * Checks the fields of a request by their description, in its order.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST, for the first problem alone.
 */
export function readParams<P extends Params>(params: P, fields: ReadonlyMap<string, string>): ReadParams<P> {
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) values[name] = readParam(name, param, fields.get(name));
  const ignored = [...fields.keys()].filter((name) => !Object.hasOwn(params, name)).sort();
  return { values: toValues<P>(values), ignored };
}

function readParam<T>(name: string, param: Param<T>, text: string | undefined): T {
  if (text === undefined) {
    if (param.fallback !== undefined) return param.fallback.value;
    throw new AppError("REQUEST_VARIABLE_MISSING", `Missing '${name}' argument`, {
      extra: { var_name: name },
    });
  }
  const parsed = param.schema.safeParse(decode(name, param.encoding, text), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw toParamError(name, parsed.error);
}

function decode(name: string, encoding: Param<unknown>["encoding"], text: string): unknown {
  if (encoding === "text") return text;
  try {
    const value: unknown = JSON.parse(text, keepFractions);
    return encoding === "json" || isSaid(value) ? value : text;
  } catch {
    // Deep nesting ends in a RangeError, everything else in a SyntaxError; both are the sender's doing.
    if (encoding === "either") return text;
    throw new AppError("BAD_REQUEST", `${name} is not valid JSON`);
  }
}

/** What text may stand for; other JSON in a text is a text that happens to be JSON. */
function isSaid(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || Array.isArray(value);
}

/** `5.0` and `5e0` are no integers to clients of this API, though they are to the language. */
function keepFractions(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" && /[.eE]/.test(context?.source ?? "") ? NaN : value;
}

/** Each value came from the schema of its name. */
function toValues<P extends Params>(values: Record<string, unknown>): ParamValues<P> {
  return values as ParamValues<P>;
}
