/** A short link and its id. */
export interface ShortLink {
  /** Absolute, percent-encoded. */
  readonly link: string;
  /** The invisible id. */
  readonly short: string;
}

/** Parts of a short link that are displayed separately. */
interface ShortLinkParts {
  /** `https://` */
  readonly scheme: string;
  /** Host and port with a path's slash, without the scheme: `sotto.example/`. */
  readonly visible: string;
  /** Path of its statistics. */
  readonly statsPath: string;
}

/** Splits a short link. */
export function splitShortLink({ link, short }: ShortLink): ShortLinkParts {
  const encoded = encodeURIComponent(short);
  const base = link.endsWith(encoded) ? link.slice(0, -encoded.length) : link;
  const visible = toVisible(base);
  return { scheme: base.slice(0, -visible.length), visible, statsPath: `/${encoded}/stats` };
}

/** Returns the short link as people paste it: the host, and the id's invisible characters as they are. */
export function toPlainLink({ link, short }: ShortLink): string {
  const encoded = encodeURIComponent(short);
  return link.endsWith(encoded) ? link.slice(0, -encoded.length) + short : link;
}

/** Returns an address without its scheme. */
export function toVisible(address: string): string {
  return address.replace(/^https?:\/\//, "");
}
