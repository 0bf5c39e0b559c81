import { trimEnd } from "es-toolkit/string/trimEnd";
import type { Kv } from "@/lib/store/kv.ts";
import { listValues } from "@/lib/store/reads.ts";
import { linkKeys } from "./store.ts";

/**
 * Creates a function that returns whether a URL is blocked. Each name blocks itself and its subdomains, in any case, with
 * or without a final dot, and internationalized names in either form.
 */
export function createBlockList(hostnames: readonly string[]): (url: string) => boolean {
  const blocked = new Set(hostnames.map(canonicalHostname));
  if (blocked.size === 0) return () => false;
  return (url) => {
    const labels = canonicalHostname(new URL(url).hostname).split(".");
    return labels.some((_, at) => blocked.has(labels.slice(at).join(".")));
  };
}

/**
 * Returns a host name in canonical form: lower case, ASCII (IDNA), normalized addresses, no final dot. Lists of other
 * programs write `*.example.com` or `.example.com` for the host with its subdomains.
 */
export function canonicalHostname(hostname: string): string {
  const decoded = decodePercent(hostname.trim());
  // The host of a URL that is no web address is as it was written, so it is parsed again as a web host.
  const ascii = URL.parse(`http://${decoded}/`)?.hostname ?? decoded.toLowerCase();
  return trimEnd(ascii, ".").replace(/^(?:\*?\.)+/, "");
}

/** Decodes a text; one that is not percent-encoded after all stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A host that is blocked with its subdomains. */
export interface BlockedHost {
  readonly host: string;
  /** Milliseconds since 1970 UTC; null for a host of the configuration, which is not stored. */
  readonly blockedAt: number | null;
}

/** Lists the hosts that administrators blocked, in alphabetical order. */
export function listBlockedHosts(kv: Kv): Promise<BlockedHost[]> {
  return listValues(kv, linkKeys.blockedHost());
}

/**
 * Creates a function that returns the decoded path of a URL of this server, which may be an id; null for any other URL.
 * Hosts of its organizations, which are subdomains, count as well.
 */
export function createOwnShortReader(baseUrl: string): (url: URL) => string | null {
  const base = new URL(baseUrl);
  const ownHost = canonicalHostname(base.hostname);
  return ({ protocol, hostname, port, pathname }) => {
    if (protocol !== "http:" && protocol !== "https:" || port !== base.port) return null;
    // Most URLs lead elsewhere; a canonical name ends like the one that was parsed, except for final dots.
    if (!trimEnd(hostname, ".").endsWith(ownHost)) return null;
    const host = canonicalHostname(hostname);
    if (host !== ownHost && !host.endsWith(`.${ownHost}`)) return null;
    return decodePercent(pathname).split("/").filter((segment) => segment !== "").join("/");
  };
}
