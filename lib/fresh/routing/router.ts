import { compilePattern, isDynamic } from "./pattern.ts";

/** The outcome of a look-up; `pattern` and `item` are null when no pattern fits. */
interface RouteMatch<T> {
  pattern: string | null;
  item: T | null;
  params: Record<string, string>;
}

interface Entry<T> {
  pattern: string;
  item: T;
}

interface DynamicEntry<T> extends Entry<T> {
  regex: RegExp;
  names: string[];
  /** The literal first part of the path ("api" of "/api/:id"), or null when it is a parameter. */
  head: string | null;
}

/**
 * Finds the item for a path: plain paths first, with or without a slash at their end, then patterns in order of
 * registration. A text that is longer than every key is not looked up: for a new text, that takes a search in the
 * runtime's table of all strings.
 */
export class Router<T> {
  #static = new Map<string, Entry<T>>();
  #longestStatic = 0;
  #dynamic: DynamicEntry<T>[] = [];
  #byHead: Map<string | null, DynamicEntry<T>[]> | null = null;
  #longestHead = 0;

  /** Registers an item; the first one for a pattern wins. */
  add(pattern: string, item: T): void {
    if (!isDynamic(pattern)) {
      const path = withoutTrailingSlash(pattern);
      if (!this.#static.has(path)) this.#static.set(path, { pattern, item });
      this.#longestStatic = Math.max(this.#longestStatic, path.length);
      return;
    }
    const head = /^\/([^/:]+)\//.exec(pattern)?.[1] ?? null;
    this.#dynamic.push({ pattern, item, head, ...compilePattern(pattern) });
    this.#byHead = null;
    this.#longestHead = Math.max(this.#longestHead, head?.length ?? 0);
  }

  /** Looks a normalized path up. @throws URIError when a parameter is malformed. */
  match(pathname: string): RouteMatch<T> {
    const fixed = this.#findStatic(withoutTrailingSlash(pathname));
    if (fixed !== undefined) return { pattern: fixed.pattern, item: fixed.item, params: emptyParams() };
    for (const { pattern, item, regex, names } of this.#candidates(pathname)) {
      const captures = regex.exec(pathname);
      if (captures !== null) return { pattern, item, params: decodeParams(names, captures) };
    }
    return { pattern: null, item: null, params: emptyParams() };
  }

  #findStatic(path: string): Entry<T> | undefined {
    return path.length > this.#longestStatic ? undefined : this.#static.get(path);
  }

  #candidates(path: string): DynamicEntry<T>[] {
    const byHead = this.#byHead ??= groupByHead(this.#dynamic);
    const slash = path.indexOf("/", 1);
    const end = slash === -1 ? path.length : slash;
    const head = end - 1 > this.#longestHead ? null : path.slice(1, end);
    return byHead.get(head) ?? byHead.get(null) ?? [];
  }
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/** For each literal first part, the patterns that can match below it, in order of registration. */
function groupByHead<T>(entries: DynamicEntry<T>[]): Map<string | null, DynamicEntry<T>[]> {
  const heads = new Set(entries.map((entry) => entry.head)).add(null);
  const groups = new Map<string | null, DynamicEntry<T>[]>();
  for (const head of heads) {
    groups.set(head, entries.filter((entry) => entry.head === head || entry.head === null));
  }
  return groups;
}

function emptyParams(): Record<string, string> {
  return Object.create(null);
}

function decodeParams(names: string[], captures: RegExpExecArray): Record<string, string> {
  const params = emptyParams();
  for (const [index, name] of names.entries()) {
    const value = captures[index + 1];
    params[name] = value === undefined ? "" : decodeURI(value);
  }
  return params;
}
