/** Request ids that are accepted from clients and proxies. */
const GIVEN_ID = /^[\w.-]{1,64}$/;

/** Assigns ids to requests. */
export interface RequestIds {
  /** Returns the id that the request carries if it is well-formed, else a new one. */
  of(request: Request): string;
}

/** Creates ids that no other process assigns: 12 random characters for the process and a counter. */
export function createRequestIds(): RequestIds {
  const process = crypto.getRandomValues(new Uint8Array(6)).toHex();
  let count = 0;
  return {
    of(request) {
      const given = request.headers.get("x-request-id");
      return given !== null && GIVEN_ID.test(given) ? given : `${process}-${(count++).toString(36)}`;
    },
  };
}
