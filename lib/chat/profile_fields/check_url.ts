/**
 * Whether a text is the address of a page: http or https, with a host that has a dot, is a number or is localhost.
 * Browsers drop line breaks and take a backslash for a slash, so such addresses are none.
 */
export function isUrl(text: string): boolean {
  if (!/^https?:\/\/[^/?#]/i.test(text) || /[\p{C}\p{Z}\\<>"^`{|}]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && /^(?:localhost|\[.+\]|[^.]+(?:\.[^.]+)+)$/.test(url.hostname);
}
