/** An id that a client or proxy may give its request, so that it can be followed through logs. */
const GIVEN_ID = /^[\w.-]{1,64}$/;

/** Names requests. */
export interface RequestIds {
  /** The id that the request brought, where that is a plain one, else a new one. */
  of(request: Request): string;
}

/** Ids that no other process gives: 12 random characters for the process, then a count. */
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
