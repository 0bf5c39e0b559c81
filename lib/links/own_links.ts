import { canonicalHostname } from "./hostnames.ts";

/** Whether a URL carries a password. A user name alone, as in `ssh://git@host/`, is public. */
export function hasPassword(url: string): boolean {
  return (URL.parse(url)?.password ?? "") !== "";
}

/**
 * Returns the decoded path of a URL of this server, which may be an id; null for any other URL. Hosts of its
 * organizations, which are subdomains, count as well.
 */
export function toOwnShort(url: string, baseUrl: string): string | null {
  const parsed = URL.parse(url);
  const base = new URL(baseUrl);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null;
  const [host, ownHost] = [parsed.hostname, base.hostname].map(canonicalHostname);
  if (host !== ownHost && !host?.endsWith(`.${ownHost}`) || parsed.port !== base.port) return null;
  try {
    return decodeURIComponent(parsed.pathname).replace(/^\/|\/$/g, "");
  } catch {
    return null;
  }
}
