const NONCE = Symbol.for("__freshNonce");

/** Notes on a page's response the nonce of its inline scripts and styles. */
export function withNonce(response: Response, nonce: string): Response {
  return Object.assign(response, { [NONCE]: nonce });
}

/** Returns the nonce of a page's response; null for any other, also for one made from the parts of a page's. */
export function readNonce(response: Response): string | null {
  const nonce: unknown = Reflect.get(response, NONCE);
  return typeof nonce === "string" && nonce !== "" ? nonce : null;
}
