import { errorMessage } from "@/lib/core/errors.ts";
import type { Services } from "../services/services.ts";

/**
 * Logs and counts errors that nothing handles, and keeps the process alive: the request or the work that failed is lost,
 * while ending would lose all others. Changes are atomic commits, so none is left half done.
 */
export function reportUnhandledErrors({ log, metrics }: Services): void {
  const report = (event: Event, cause: unknown) => {
    event.preventDefault();
    metrics.unhandledError();
    const stack = cause instanceof Error ? cause.stack : undefined;
    log.event("error", "unhandled error", { cause: errorMessage(cause), stack });
  };
  globalThis.addEventListener("unhandledrejection", (event) => report(event, event.reason));
  globalThis.addEventListener("error", (event) => report(event, event.error));
}
