/** A URL pattern made ready for matching; `names[i]` belongs to the i-th capture. */
export interface CompiledPattern {
  regex: RegExp;
  names: string[];
}

const PATTERN_CHARACTERS = /[*:{}+?()]/;
const TOKEN = /\{([^{}]*)\}([?*+]?)|(\/?):([A-Za-z_$][\w$]*)(\([^()]*\))?([?*+]?)|(\/?)\*|[^:{}*/]+|./g;

/** True when the path holds parameters or wildcards, so that it cannot be compared as plain text. */
export function isDynamic(pattern: string): boolean {
  return PATTERN_CHARACTERS.test(pattern);
}

/** Compiles "/users/:id", "/files/:path*", "/blog{/:slug}?" or "/*". */
export function compilePattern(pattern: string): CompiledPattern {
  const names: string[] = [];
  const source = patternSource(pattern === "*" ? "/*" : pattern, names);
  return { regex: new RegExp(`^${source}$`), names };
}

function patternSource(pattern: string, names: string[]): string {
  let source = "";
  for (const token of pattern.matchAll(TOKEN)) {
    const [text, group, groupModifier = "", slash = "", name, custom, modifier = "", starSlash] = token;
    if (group !== undefined) {
      source += `(?:${patternSource(group, names)})${groupModifier}`;
    } else if (name !== undefined) {
      names.push(name);
      source += parameterSource(slash, modifier, custom?.slice(1, -1));
    } else if (starSlash !== undefined) {
      names.push(String(names.length));
      source += `${starSlash}(.*)`;
    } else {
      source += literalSource(text);
    }
  }
  return source;
}

/** One part of a path or more. */
const SEGMENTS = "[^/]+(?:/[^/]+)*";

function parameterSource(slash: string, modifier: string, custom = "[^/]+?"): string {
  switch (modifier) {
    case "?":
      return `(?:${slash}(${custom}))?`;
    case "*":
      return `(?:${slash}(${SEGMENTS}))?`;
    case "+":
      return `${slash}(${SEGMENTS})`;
    default:
      return `${slash}(${custom})`;
  }
}

function literalSource(text: string): string {
  return encodeLiteral(text).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The text as it stands in a URL's path; text that is encoded already stays as it is. */
export function encodeLiteral(text: string): string {
  return text.includes("%") ? text : encodeURI(text);
}

/** The URL pattern of a route file, "(auth)/users/[id]" → "/users/:id"; groups leave no trace. */
export function fileToPattern(id: string): string {
  const parts = id.split("/");
  if (parts.at(-1) === "index") parts.pop();
  return joinParts(parts.filter((part) => !isGroup(part)));
}

/** The pattern that names a folder's segment, "(auth)/users/[id]" → "/(auth)/users/:id"; groups stay. */
export function folderToPattern(folder: string): string {
  return joinParts(folder.split("/"));
}

function isGroup(part: string): boolean {
  return part.startsWith("(") && part.endsWith(")");
}

function joinParts(parts: string[]): string {
  return parts.map(partToPattern).join("") || "/";
}

/** @throws SyntaxError when parameters touch, or an optional one is not a whole part. */
function partToPattern(part: string): string {
  if (part === "") return "";
  const rest = /^\[\.\.\.(.+)\]$/.exec(part);
  if (rest) return `/:${rest[1]}*`;
  const optional = /^\[\[([^[\]]+)\]\]$/.exec(part);
  if (optional) return `{/:${optional[1]}}?`;
  if (/\]\[|\[\[|\]\]/.test(part)) {
    throw new SyntaxError(`Invalid route pattern: "${part}"`);
  }
  return "/" + part.replace(/\[([^[\]]+)\]/g, ":$1");
}

/** Puts a path below a base path; "*" becomes "everything below the base". */
export function mergePath(basePath: string, path: string): string {
  const base = basePath.replace(/\/?\*?$/, "");
  if (path === "*" || path === "/*") return `${base}/*`;
  return base !== "" && path === "/" ? base : base + path;
}
