import type { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";

type Issue = z.core.$ZodIssue;

/** Names of expected types in error texts; other types are reported as "an integer". */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["boolean", "a boolean"],
  ["object", "a dict"],
  ["record", "a dict"],
  ["string", "a string"],
]);

/** Maximum length of a name in an error, in UTF-16 units. */
const MAX_NAME = 100;

/** Converts the first issue that a schema found to the error that clients expect. */
export function toParamError(name: string, error: z.ZodError): AppError {
  const [issue] = error.issues;
  if (issue === undefined) return new AppError("BAD_REQUEST", `Invalid ${name}`, { field: name });
  const path = toPath(issue).map((part) =>
    typeof part === "number" ? `[${part}]` : `["${shorten(String(part))}"]`
  );
  return new AppError("BAD_REQUEST", toMessage(name + path.join(""), findInnermost(issue)), { field: name });
}

/**
 * Returns the issue of the union member that the value resembles: the last member for objects, else the
 * first.
 */
function findInnermost(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const isObject = typeof issue.input === "object" && issue.input !== null;
  const [inner] = issue.errors.at(isObject ? -1 : 0) ?? [];
  return inner === undefined ? issue : findInnermost(inner);
}

function toPath(issue: Issue): PropertyKey[] {
  const inner = findInnermost(issue);
  return inner === issue ? issue.path : [...issue.path, ...inner.path];
}

function toMessage(path: string, issue: Issue): string {
  switch (issue.code) {
    case "custom":
      return `Invalid ${path}: Value error, ${issue.message}`;
    case "invalid_type":
      return issue.input === undefined
        ? `${path} field is missing: Field required`
        : `${path} is not ${TYPE_NAMES.get(issue.expected) ?? "an integer"}`;
    case "invalid_value":
      return `Invalid ${path}: Value error, Not in the list of possible values`;
    case "too_big":
      return issue.origin === "string"
        ? `${path} is too long (limit: ${issue.maximum} characters)`
        : `${path} is too large`;
    case "too_small":
      return issue.origin === "string" ? `${path} cannot be blank` : `${path} is too small`;
    case "unrecognized_keys":
      return `Argument "${shorten(issue.keys[0] ?? "")}" at ${path} is unexpected`;
    default:
      return `Invalid ${path}`;
  }
}

/** Shortens a name of the caller's, which may be as long as the request. */
function shorten(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
