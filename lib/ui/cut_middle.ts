/** Shortens a text to `limit` characters by dropping its middle: the ends of URLs differ. */
export function cutMiddle(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const head = Math.ceil((limit - 1) * 0.65);
  return `${characters.slice(0, head).join("")}…${characters.slice(head - limit + 1).join("")}`;
}
