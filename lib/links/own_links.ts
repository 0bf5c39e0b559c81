import { trimEnd } from "es-toolkit/string/trimEnd";
import { canonicalHostname } from "./hostnames.ts";

/** Returns the decoded path of a URL of this server, which may be an id; null for any other URL. */
export type OwnShortReader = (url: URL) => string | null;

/** Creates a reader for a public address. Hosts of its organizations, which are subdomains, count as well. */
export function createOwnShortReader(baseUrl: string): OwnShortReader {
  const base = new URL(baseUrl);
  const ownHost = canonicalHostname(base.hostname);
  return ({ protocol, hostname, port, pathname }) => {
    if (protocol !== "http:" && protocol !== "https:" || port !== base.port) return null;
    // Most URLs lead elsewhere; a canonical name ends like the one that was parsed, except for final dots.
    if (!trimEnd(hostname, ".").endsWith(ownHost)) return null;
    const host = canonicalHostname(hostname);
    if (host !== ownHost && !host.endsWith(`.${ownHost}`)) return null;
    try {
      return decodeURIComponent(pathname).split("/").filter((segment) => segment !== "").join("/");
    } catch {
      return null;
    }
  };
}
