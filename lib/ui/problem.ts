/** The fields of the form that shortens. */
export type ShortenField = "url" | "key";

/** Which field a refusal is about; the server's sentences about the key name it, those about URLs never do. */
export function fieldOfProblem(problem: string, needsKey: boolean): ShortenField {
  return needsKey && /\bkey\b/i.test(problem) ? "key" : "url";
}

/** A host name with a dot, a port or none, and what follows. */
const BARE_DOMAIN = /^[^\s/?#@:]+\.[^\s/?#@:]{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/;
/** Length of the longest URL that can be shortened. */
const MAX_URL = 500;

/** Returns the URL that someone who typed only `example.com/page` may have meant; null where none is likely. */
export function suggestUrl(typed: string): string | null {
  const url = `https://${typed}`;
  return url.length <= MAX_URL && BARE_DOMAIN.test(typed) && URL.canParse(url) ? url : null;
}
