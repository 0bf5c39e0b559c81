import Negotiator from "negotiator";

/** Whether a client prefers a page to data, as browsers do. A client that accepts anything does not. */
export function prefersPage(accept: string | null): boolean {
  if (accept === null || !/text\/html|text\/\*/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(["application/json", "text/html"]) === "text/html";
}
