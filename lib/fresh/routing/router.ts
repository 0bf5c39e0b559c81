import { compilePattern, encodeLiteral, isDynamic } from "./pattern.ts";

/** The outcome of a look-up: `pattern` is null when no path fits, `item` when the method does not. */
interface RouteMatch<T> {
  pattern: string | null;
  item: T | null;
  params: Record<string, string>;
}

interface Entry<T> {
  pattern: string;
  byMethod: Map<string, T>;
}

interface DynamicEntry<T> extends Entry<T> {
  regex: RegExp;
  names: string[];
  /** The literal first part of the path ("api" of "/api/:id"), or null when it is a parameter. */
  head: string | null;
}

/**
 * Finds the item for a method and path: plain paths first, with or without a slash at their end, then patterns in
 * order of registration. A text that is longer than every key is not looked up: for a new text, that takes a search
 * in the runtime's table of all strings.
 */
export class Router<T> {
  #entries = new Map<string, Entry<T>>();
  #static = new Map<string, Entry<T>>();
  #longestStatic = 0;
  #dynamic: DynamicEntry<T>[] = [];
  #byHead: Map<string | null, DynamicEntry<T>[]> | null = null;
  #longestHead = 0;

  /** Registers an item; the first one for a method and pattern wins. */
  add(method: string, pattern: string, item: T): void {
    const entry = this.#entries.get(pattern) ?? this.#addEntry(pattern);
    if (!entry.byMethod.has(method)) entry.byMethod.set(method, item);
  }

  /** Looks a normalized path up; HEAD falls back to GET. @throws URIError when a parameter is malformed. */
  match(method: string, pathname: string): RouteMatch<T> {
    const fixed = this.#findStatic(withoutTrailingSlash(pathname));
    if (fixed !== undefined) {
      return {
        pattern: fixed.pattern,
        item: itemFor(fixed, method),
        params: emptyParams(),
      };
    }
    for (const entry of this.#candidates(pathname)) {
      const captures = entry.regex.exec(pathname);
      if (captures !== null) {
        const params = decodeParams(entry.names, captures);
        return { pattern: entry.pattern, item: itemFor(entry, method), params };
      }
    }
    return { pattern: null, item: null, params: emptyParams() };
  }

  /** The methods registered for a pattern. */
  allowedMethods(pattern: string): string[] {
    return [...this.#entries.get(pattern)?.byMethod.keys() ?? []];
  }

  #addEntry(pattern: string): Entry<T> {
    const entry: Entry<T> = { pattern, byMethod: new Map() };
    this.#entries.set(pattern, entry);
    if (isDynamic(pattern)) {
      const head = literalHead(pattern);
      this.#dynamic.push(Object.assign(entry, compilePattern(pattern), { head }));
      this.#byHead = null;
      this.#longestHead = Math.max(this.#longestHead, head?.length ?? 0);
    } else {
      const path = withoutTrailingSlash(encodeLiteral(pattern));
      this.#static.set(path, entry);
      this.#longestStatic = Math.max(this.#longestStatic, path.length);
    }
    return entry;
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

function literalHead(pattern: string): string | null {
  const head = /^\/([^/*:{}+?()]+)\//.exec(pattern)?.[1];
  return head === undefined ? null : encodeLiteral(head);
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

function itemFor<T>(entry: Entry<T>, method: string): T | null {
  const item = entry.byMethod.get(method);
  if (item !== undefined) return item;
  return method === "HEAD" ? entry.byMethod.get("GET") ?? null : null;
}

function emptyParams(): Record<string, string> {
  return Object.create(null);
}

function decodeParams(names: string[], captures: RegExpExecArray): Record<string, string> {
  const params = emptyParams();
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const value = captures[i + 1];
    if (name !== undefined) {
      params[name] = value === undefined ? "" : decodeURI(value);
    }
  }
  return params;
}
