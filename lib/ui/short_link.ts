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

/** Returns an address without its scheme. */
export function toVisible(address: string): string {
  return address.replace(/^https?:\/\//, "");
}
