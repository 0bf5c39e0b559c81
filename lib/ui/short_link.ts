/** Parts of a short link that are displayed separately. */
export interface ShortLinkParts {
  /** Host and port with a path's slash, without the scheme: `sotto.example/`. */
  readonly visible: string;
  /** Path of its statistics. */
  readonly statsPath: string;
}

/** Splits the absolute, percent-encoded link of an id. */
export function splitShortLink(link: string, short: string): ShortLinkParts {
  const encoded = encodeURIComponent(short);
  const base = link.endsWith(encoded) ? link.slice(0, -encoded.length) : link;
  return { visible: toVisible(base), statsPath: `/${encoded}/stats` };
}

/** Returns the short link as people paste it: the host, and the id's invisible characters as they are. */
export function toPlainLink(link: string, short: string): string {
  const encoded = encodeURIComponent(short);
  return link.endsWith(encoded) ? link.slice(0, -encoded.length) + short : link;
}

/** Returns an address without its scheme. */
export function toVisible(address: string): string {
  return address.replace(/^https?:\/\//, "");
}
