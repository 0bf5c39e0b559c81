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

  /** Returns the path of `parseRequestUrl(text)`. @throws TypeError for an invalid URL. */
  read(text: string): string {
    const start = text.indexOf("/", AFTER_SCHEME);
    PLAIN_PATH.lastIndex = start;
    if (start === -1 || !PLAIN_PATH.test(text) || !this.#isOrigin(text.slice(0, start))) {
      return parseRequestUrl(text).pathname;
    }
    return text.slice(start, PLAIN_PATH.lastIndex);
  }

  #isOrigin(text: string): boolean {
    if (this.#origins.has(text)) return true;
    const url = URL.parse(`${text}/`);
    if (url === null || url.pathname !== "/" || url.search !== "" || url.hash !== "") return false;
    if (this.#origins.size >= MAX_ORIGINS) this.#origins.clear();
    this.#origins.add(text);
    return true;
  }
}
