import type { Context } from "fresh";
import type { VNode } from "preact";
import { type AppError, errorMessage, STATUS } from "@/lib/core/errors.ts";
import { prefersPage } from "../api/accept.ts";
import { faceOf, setErrorHeaders, statusOf, toAppError, toErrorResponse } from "../api/envelope.ts";
import { consumeAddressLimit } from "../api/request_limits.ts";
import { setSecretPageHeaders, setSecurityHeaders } from "../api/security_headers.ts";
import type { State } from "../services/services.ts";
import { withLength } from "./listen.ts";
import { isOpenPath } from "./open_paths.ts";

/** A failed request as its error page shows it. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
}

/** Renders a failed request as a page. */
export type ErrorPage = (error: Refusal, ctx: Context<State>) => VNode;

/**
 * Outermost middleware: assigns the request id, maps every error to a response, sets the headers common to
 * all responses, and writes the log line and the metrics.
 */
export function observe(errorPage: ErrorPage): (ctx: Context<State>) => Promise<Response> {
  return async (ctx) => {
    const { app } = ctx.state;
    const started = app.clock.monotonic();
    const id = app.requestIds.of(ctx.req);
    ctx.state.requestId = id;
    let response: Response;
    try {
      response = await ctx.next();
    } catch (thrown) {
      response = await answerFailure(ctx, thrown, errorPage);
    }
    if (isRefusal(response.status) && ctx.state.isCounted !== true) {
      try {
        await consumeAddressLimit(ctx, "refused");
      } catch (hit) {
        response = await answerFailure(ctx, hit, errorPage);
      }
    }
    if (ctx.req.method === "HEAD") response = await withLength(response);
    setSecurityHeaders(response.headers, app.isHttps);
    const route = ctx.state.page?.route ?? ctx.route;
    setSecretPageHeaders(response.headers, route ?? ctx.url.pathname, app.config.baseUrl);
    response.headers.set("x-request-id", id);
    const line = {
      id,
      method: ctx.req.method,
      route: route ?? "(none)",
      status: response.status,
      ms: app.clock.monotonic() - started,
    };
    app.metrics.observe(line);
    app.log.request(line);
    return response;
  };
}

/** Whether a request was refused because of the client; a client that is asked to wait is not refused once more. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== STATUS.RATE_LIMIT_HIT;
}

async function answerFailure(ctx: Context<State>, thrown: unknown, errorPage: ErrorPage): Promise<Response> {
  const error = toAppError(thrown);
  logFailure(ctx, error);
  const face = faceOf(ctx.url.pathname);
  const isPage = face === "links" && prefersPage(ctx.req.headers.get("accept"));
  if (!isPage) {
    const response = withoutDialog(ctx.req, toErrorResponse(error, face));
    if (ctx.state.isOpenToOrigins ?? isOpenPath(ctx.url.pathname)) {
      response.headers.set("access-control-allow-origin", "*");
    }
    return response;
  }
  const status = statusOf(error);
  const page = errorPage({ status, message: error.message, requestId: ctx.state.requestId }, ctx);
  const response = await ctx.render(page, { status });
  response.headers.set("cache-control", "no-store");
  setErrorHeaders(response.headers, error, face);
  return response;
}

/** Browsers open a sign-in dialog of their own when a script's request is refused with this scheme. */
function withoutDialog({ headers }: Request, response: Response): Response {
  const isScript = headers.has("sec-fetch-mode") && headers.get("sec-fetch-mode") !== "navigate";
  if (isScript && response.headers.get("www-authenticate")?.startsWith("Basic")) {
    response.headers.set("www-authenticate", 'Session realm="Sotto"');
  }
  return response;
}

function logFailure({ state, route }: Context<State>, error: AppError): void {
  const { cause } = error.details;
  if (cause === undefined || STATUS[error.code] < 500) return;
  const stack = cause instanceof Error ? cause.stack : undefined;
  state.app.log.event("error", error.message, {
    id: state.requestId,
    route: state.page?.route ?? route,
    cause: errorMessage(cause),
    stack,
  });
}
