import { trace } from "@opentelemetry/api";
import type { Log } from "./log.ts";

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
