import { AppError } from "@/lib/core/errors.ts";
import { findJsonExcess, MAX_JSON_DEPTH, MAX_JSON_VALUES } from "@/lib/core/parse_json.ts";
import { cleanText, isLongerThan } from "@/lib/core/text.ts";
import type { Param, Params, ParamValues } from "./param.ts";
import { toParamError } from "./param_error.ts";

/** Maximum number of values in JSON with fractions, for which each value is visited. */
const MAX_MARKED_VALUES = 5000;

/** An escape in JSON that may stand for a NUL character or a lone surrogate. */
const UNCLEAN_ESCAPE = /\\u(?:0000|d[89a-f])/i;

/**
 * Lists stop at their first invalid element. The option `abortEarly` is that of zod's `validate`; without it, an
 * issue is made for each element.
 */
const PARSING = { reportInput: true, abortEarly: true };

/** Validated parameters, and the names of unknown fields. */
interface ReadParams<P extends Params> {
  readonly values: ParamValues<P>;
  /** Sorted. */
  readonly ignored: string[];
}

/**
 * Validates the fields of a request in the order of their definitions.
 * @throws AppError REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR or BAD_REQUEST, for the first problem only.
 */
export function readParams<P extends Params>(params: P, fields: ReadonlyMap<string, string>): ReadParams<P> {
  const values: Record<string, unknown> = {};
  const aliases = new Set<string>();
  for (const [name, param] of Object.entries(params)) {
    values[name] = readParam(name, param, findField(name, param, fields));
    if (param.alias !== undefined) aliases.add(param.alias);
  }
  const ignored = [...fields.keys()].filter((name) => !Object.hasOwn(params, name) && !aliases.has(name));
  ignored.sort();
  return { values: toValues<P>(values), ignored };
}

/** Returns the text that was sent under the name of a parameter or its alias, but not under both. */
function findField(
  name: string,
  { alias }: Param<unknown>,
  fields: ReadonlyMap<string, string>,
): string | undefined {
  const text = fields.get(name);
  const other = alias === undefined ? undefined : fields.get(alias);
  if (text === undefined || other === undefined) return text ?? other;
  throw new AppError("REQUEST_CONFUSING_VAR", `Can't decide between '${name}' and '${alias}' arguments`, {
    extra: { var_name1: name, var_name2: alias },
  });
}

function readParam<T>(name: string, param: Param<T>, text: string | undefined): T {
  if (text === undefined) {
    if (param.fallback !== undefined) return param.fallback.value;
    throw new AppError("REQUEST_VARIABLE_MISSING", `Missing '${name}' argument`, {
      extra: { var_name: name },
    });
  }
  const parsed = param.schema.safeParse(decode(name, param, text), PARSING);
  if (parsed.success) return parsed.data;
  throw toParamError(name, parsed.error);
}

function decode(name: string, param: Param<unknown>, sent: string): unknown {
  const { encoding, maxLength, isExact = false, fractional = [] } = param;
  const clean = isExact ? sent : cleanText(sent);
  const text = encoding === "trimmed" ? clean.trim() : clean;
  if (isLongerThan(text, maxLength)) {
    throw new AppError("BAD_REQUEST", `${name} is too long (limit: ${maxLength} characters)`, {
      field: name,
    });
  }
  if (encoding === "text" || encoding === "trimmed") return text;
  const mayHaveFractions = /\d[.eE]/.test(text);
  const { maxValues = MAX_JSON_VALUES } = param;
  requireJsonLimits(name, text, mayHaveFractions ? Math.min(MAX_MARKED_VALUES, maxValues) : maxValues);
  try {
    const value: unknown = JSON.parse(text, mayHaveFractions ? fractionMarker(fractional) : undefined);
    if (encoding === "either" && !isTextForm(value)) return text;
    return isExact || !UNCLEAN_ESCAPE.test(text) ? value : cleanJson(value);
  } catch {
    if (encoding === "either") return text;
    throw new AppError("BAD_REQUEST", `${name} is not valid JSON`, { field: name });
  }
}

function requireJsonLimits(name: string, text: string, maxValues: number): void {
  const excess = findJsonExcess(text, maxValues);
  if (excess === null) return;
  throw new AppError(
    "BAD_REQUEST",
    excess === "depth"
      ? `${name} is nested too deeply (limit: ${MAX_JSON_DEPTH} levels)`
      : `${name} is too large (limit: ${maxValues} values)`,
    { field: name },
  );
}

/** Returns JSON whose texts and keys contain no NUL characters and lone surrogates. */
function cleanJson(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [cleanText(key), cleanJson(member)]),
  );
}

/** Whether JSON can stand for text; any other JSON is text that happens to be valid JSON. */
function isTextForm(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || Array.isArray(value);
}

/** Returns a reviver that turns `5.0` and `5e0` into NaN, as this API does not accept them as integers. */
function fractionMarker(members: readonly string[]) {
  return (key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && !members.includes(key) && /[.eE]/.test(context?.source ?? "") ? NaN : value;
}

/** Casts the values: each one comes from the schema of its name. */
function toValues<P extends Params>(values: Record<string, unknown>): ParamValues<P> {
  return values as ParamValues<P>;
}
