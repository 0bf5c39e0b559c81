import type { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";

type Issue = z.core.$ZodIssue;

/** What a value must be, as its refusal says it; everything else is said to be no integer. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["array", "a list"],
  ["boolean", "a boolean"],
  ["object", "a dict"],
  ["record", "a dict"],
  ["string", "a string"],
]);

/** The first problem that a schema found with a parameter, as the refusal that clients know. */
export function toParamError(name: string, error: z.ZodError): AppError {
  const [issue] = error.issues;
  if (issue === undefined) return new AppError("BAD_REQUEST", `Invalid ${name}`);
  const way = pathOf(issue).map((part) => typeof part === "number" ? `[${part}]` : `["${String(part)}"]`);
  return new AppError("BAD_REQUEST", toSentence(name + way.join(""), innermost(issue)));
}

/** Of several forms that a value may have, the one that it resembles: objects are held against the last, all else against the first. */
function innermost(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const isObject = typeof issue.input === "object" && issue.input !== null;
  const [inner] = issue.errors.at(isObject ? -1 : 0) ?? [];
  return inner === undefined ? issue : innermost(inner);
}

function pathOf(issue: Issue): PropertyKey[] {
  const inner = innermost(issue);
  return inner === issue ? issue.path : [...issue.path, ...inner.path];
}

function toSentence(place: string, issue: Issue): string {
  switch (issue.code) {
    case "custom":
      return `Invalid ${place}: Value error, ${issue.message}`;
    case "invalid_type":
      return issue.input === undefined
        ? `${place} field is missing: Field required`
        : `${place} is not ${TYPE_NAMES.get(issue.expected) ?? "an integer"}`;
    case "invalid_value":
      return `Invalid ${place}: Value error, Not in the list of possible values`;
    case "too_big":
      return issue.origin === "string"
        ? `${place} is too long (limit: ${issue.maximum} characters)`
        : `${place} is too large`;
    case "too_small":
      return issue.origin === "string" ? `${place} cannot be blank` : `${place} is too small`;
    case "unrecognized_keys":
      return `Argument "${issue.keys[0]}" at ${place} is unexpected`;
    default:
      return `Invalid ${place}`;
  }
}
