import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { errorMessage } from "@/lib/core/errors.ts";
import type { StartSpan } from "@/lib/store/database.ts";
import type { Log } from "./log.ts";

const tracer = trace.getTracer("sotto.store");

/**
 * Starts the span of a call of the store within the request that makes it; a call that combines those of several
 * requests belongs to the first of them. Spans name the kind of the records and never their keys, which may be secret.
 */
export const startSpan: StartSpan = (operation, key, size) => {
  const kind = key?.find((part) => typeof part === "string");
  const span = tracer.startSpan(kind === undefined ? operation : `${operation} ${kind}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      "db.system.name": "deno_kv",
      "db.operation.name": operation,
      ...(kind === undefined ? {} : { "db.collection.name": kind }),
      ...(size === undefined ? {} : { "db.operation.batch.size": size }),
    },
  });
  return {
    fail: (error) => span.setStatus({ code: SpanStatusCode.ERROR, message: errorMessage(error) }),
    end: () => span.end(),
  };
};

/** Makes a log name the span of each request by its route and request id. Returns a new log. */
export function traceRequests(log: Log): Log {
  return {
    ...log,
    request(line) {
      const span = trace.getActiveSpan();
      span?.updateName(`${line.method} ${line.route}`);
      span?.setAttributes({ "http.route": line.route, "http.response.header.x-request-id": [line.id] });
      log.request(line);
    },
  };
}
