/** Thrown by a transaction's work that read two moments of the store; the work is run again. */
export class StaleRead extends Error {
  override readonly name = "StaleRead";
}
