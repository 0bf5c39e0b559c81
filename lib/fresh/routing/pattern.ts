/** A URL pattern made ready for matching; `names[i]` belongs to the i-th capture. */
export interface CompiledPattern {
  regex: RegExp;
  names: string[];
}

/** True when the path holds parameters, so that it cannot be compared as plain text. */
export function isDynamic(pattern: string): boolean {
  return pattern.includes(":");
}

/** One part of a path or more. */
const SEGMENTS = "[^/]+(?:/[^/]+)*";

/** Compiles "/users/:id" or "/files/:path*". */
export function compilePattern(pattern: string): CompiledPattern {
  const names: string[] = [];
  const source = pattern.replace(
    /(\/?):(\w+)(\*?)|[^:/\w]/g,
    (literal, slash: string | undefined, name: string, rest: string) => {
      if (slash === undefined) return `\\${literal}`;
      names.push(name);
      return rest === "" ? `${slash}([^/]+?)` : `(?:${slash}(${SEGMENTS}))?`;
    },
  );
  return { regex: new RegExp(`^${source}$`), names };
}

/** The URL pattern of a route file, "(auth)/users/[id]" → "/users/:id"; groups leave no trace. */
export function fileToPattern(id: string): string {
  const parts = id.split("/");
  if (parts.at(-1) === "index") parts.pop();
  return parts.filter((part) => !/^\(.*\)$/.test(part)).map(partToPattern).join("") || "/";
}

/** @throws SyntaxError for a part with anything but one parameter or plain text. */
function partToPattern(part: string): string {
  const [, rest, name] = /^\[(\.\.\.)?(\w+)\]$/.exec(part) ?? [];
  if (name !== undefined) return rest === undefined ? `/:${name}` : `/:${name}*`;
  if (/[[\]:*]/.test(part)) throw new SyntaxError(`Invalid route pattern: "${part}"`);
  return `/${part}`;
}
