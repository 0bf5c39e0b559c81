/** Position in a URL from which its first slash begins the path: after the scheme and a character of the host. */
const AFTER_SCHEME = "http://".length + 1;

/** Returns where the path of an absolute URL begins, without parsing the URL; -1 when it has no path. */
export function indexOfPath(url: string): number {
  return url.indexOf("/", AFTER_SCHEME);
}
