/** Paths below which pages of other origins may read responses; those of one segment are mostly short links. */
const OPEN = /^\/(?:[^/.]*|openapi\.json|[^/]+\/stats|stats\/badges\/[^/]+|emoji\/names\.json)$/;
/** Pages of this site, probes with details, and the chat API, which are not open. */
const CLOSED =
  /^\/(?:account|admin|api|blocked-hosts|connect|docs|forgot-password|links|login|logout|metrics|ready|setup)(?:\/|$)/;

/** Returns whether responses of a path are open to other origins, before the path's route is known. */
export function isOpenPath(path: string): boolean {
  return OPEN.test(path) && !CLOSED.test(path);
}
