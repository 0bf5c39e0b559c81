/** Maximum number of origins that are remembered; clients choose them by their Host header. */
const MAX_ORIGINS = 100;
/** Position in a URL from which its first slash begins the path: after the scheme and a character of the host. */
const AFTER_SCHEME = "http://".length + 1;
/** A path, with or without a query, that a URL object would keep as it is: without empty parts and those of dots. */
const PLAIN_PATH = /(?:\/(?!\.|%2e)[\w\-~!$&'()*+,;=:@%.]+)*\/?(?=\?|$)/iy;

/** Parses a request's URL and collapses doubled slashes in its path. @throws TypeError for an invalid URL. */
export function parseRequestUrl(text: string): URL {
  const url = new URL(text);
  if (url.pathname.includes("//")) url.pathname = url.pathname.replace(/\/+/g, "/");
  return url;
}

/** Reads the paths of requests without a URL object, which takes longer than the rest of the routing. */
export class PathReader {
  /** Origins that are valid and hold no part of a path. */
  readonly #origins = new Set<string>();
  /** The latest of them, which most requests have. */
  #latest = "";

  /** Returns the path of `parseRequestUrl(text)`. @throws TypeError for an invalid URL. */
  read(text: string): string {
    const start = text.indexOf("/", AFTER_SCHEME);
    PLAIN_PATH.lastIndex = start;
    if (start === -1 || !PLAIN_PATH.test(text) || !this.#hasOrigin(text, start)) {
      return parseRequestUrl(text).pathname;
    }
    return text.slice(start, PLAIN_PATH.lastIndex);
  }

  /** Whether a URL's text up to `end` is an origin. */
  #hasOrigin(text: string, end: number): boolean {
    if (end === this.#latest.length && text.startsWith(this.#latest)) return true;
    const origin = text.slice(0, end);
    if (!this.#origins.has(origin)) {
      if (!isOrigin(origin)) return false;
      if (this.#origins.size >= MAX_ORIGINS) this.#origins.clear();
      this.#origins.add(origin);
    }
    this.#latest = origin;
    return true;
  }
}

function isOrigin(text: string): boolean {
  const url = URL.parse(`${text}/`);
  return url !== null && url.pathname === "/" && url.search === "" && url.hash === "";
}
