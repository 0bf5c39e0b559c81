import Negotiator from "negotiator";

/** Whether a client would rather have a page than data, as browsers do; a client that takes anything would not. */
export function prefersPage(accept: string | null): boolean {
  if (accept === null || !/text\/html|text\/\*/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } }).mediaType(["application/json", "text/html"]) === "text/html";
}
