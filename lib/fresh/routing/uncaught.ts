import { STATUS_CODES } from "node:http";
import { HttpError } from "../runtime/http_error.ts";

/** The plain answer to an error that no error page took; what is the server's own fault goes to stderr. */
export function answerUncaught(error: unknown): Response {
  const status = error instanceof HttpError ? error.status : 500;
  if (status >= 500) writeToStderr(error);
  const message = error instanceof HttpError
    ? error.message || STATUS_CODES[status] || ""
    : "Internal server error";
  return new Response(message, { status });
}

function writeToStderr(error: unknown): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${Deno.inspect(error)}\n`));
}
