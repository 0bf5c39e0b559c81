import Negotiator from "negotiator";

/** Maximum length of an Accept header in characters, as of those for languages and codings; a longer one is ignored. */
export const MAX_ACCEPT = 1000;

/** Whether a client prefers a page to data, as browsers do. A client that accepts anything does not. */
export function prefersPage(accept: string | null): boolean {
  if (accept === null || accept.length > MAX_ACCEPT || !/text\/html|text\/\*/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(["application/json", "text/html"]) === "text/html";
}
