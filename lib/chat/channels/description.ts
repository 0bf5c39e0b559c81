/** A channel's description as it is kept: on one line. */
export function toDescription(text: string): string {
  return text.replace(/\r\n|[\n\r\u2028\u2029]/g, " ");
}
