/** A text of at most `limit` characters: what is longer loses its middle, and keeps its end, where URLs differ. */
export function cutMiddle(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const head = Math.ceil((limit - 1) * 0.65);
  return `${characters.slice(0, head).join("")}…${characters.slice(head - limit + 1).join("")}`;
}
