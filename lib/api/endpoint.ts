import type { Context } from "fresh";
import type { VNode } from "preact";
import type { z } from "zod";
import type { RateLimitName } from "@/lib/rate_limit_rules.ts";
import { AppError, type ErrorCode } from "@/lib/core/errors.ts";
import { EndpointResponse } from "./response.ts";
import { readJson } from "./body.ts";
import { buildEndpoint, type Meter, type Protocol } from "./build_endpoint.ts";
import { consumeAddressLimit } from "./request_limits.ts";
import { clientAddressOf } from "../services/client_address.ts";
import type { Services, State } from "../services/services.ts";
import { isLong } from "../services/unread_responses.ts";

/** Specification of an endpoint: it handles requests and is published at `/openapi.json`. */
export interface EndpointSpec<Path, Query, Body, Caller = void> {
  /** One line for the API documentation. */
  readonly summary: string;
  readonly description?: string;
  readonly path?: z.ZodType<Path>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly success: { readonly status: number; readonly description: string; readonly schema?: z.ZodType };
  /** Whether the description lists the success as the default response. */
  readonly isDefaultResponse?: boolean;
  /** Further responses that are not refusals. */
  readonly also?: Readonly<Record<number, string>>;
  readonly refusals?: readonly ErrorCode[];
  readonly rateLimit?: RateLimitName;
  /** Returns the caller, or refuses an unauthorized one, before anything of the request is read. */
  readonly authorize?: (ctx: Context<State>) => Promise<Caller>;
  /** Whether it may require a bearer key. */
  readonly takesBearerKey?: boolean;
  /** Whether it requires the shorten key or an administrator's key. */
  readonly isForManagers?: boolean;
  /** Whether pages of other origins may read the response. */
  readonly isOpenToOrigins?: boolean;
}

/** Input of an endpoint's action. */
interface EndpointInput<Path, Query, Body, Caller = void> {
  readonly app: Services;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /** The caller that `authorize` returned. */
  readonly caller: Caller;
  readonly request: Request;
  /** Returns the client's address, as trusted proxies report it. */
  readonly clientAddress: () => string;
  /** False for HEAD, which must not change anything. */
  readonly isGet: boolean;
  /** Renders a page for a browser in place of JSON. */
  readonly render: (content: VNode) => Promise<Response>;
}

/** A handler that carries its specification. */
export interface Endpoint {
  (ctx: Context<State>): Promise<Response>;
  readonly spec: EndpointSpec<unknown, unknown, unknown, unknown>;
}

type AnySpec = EndpointSpec<unknown, unknown, unknown, unknown>;
type AnyInput = EndpointInput<unknown, unknown, unknown, unknown>;

/** The shortener's protocol: callers are addresses, input is JSON, and the middleware converts errors. */
const LINKS: Protocol<AnySpec, unknown, AnyInput, unknown> = {
  admit(ctx, spec, meter) {
    // A promise for nothing would take a part of the time of a visit.
    const isCounted = spec.rateLimit !== undefined && ctx.state.app.limiter !== null;
    return isCounted || spec.authorize !== undefined ? admit(ctx, spec, meter) : undefined;
  },
  readCall(ctx, spec, caller) {
    const input = readInput(ctx, spec, caller);
    return spec.body === undefined ? input : withBody(ctx, input, spec.body);
  },
  toResponse(result, { success, isOpenToOrigins }, input) {
    const response = toLinksResponse(result, success.status, input);
    if (isOpenToOrigins) response.headers.set("access-control-allow-origin", "*");
    return response;
  },
  toRefusal(error) {
    throw error;
  },
};

/**
 * Creates an endpoint: counts the request against its limit, validates path, query and body by their schemas,
 * and responds with the result of `work`: a plain object as JSON, an `EndpointResponse` or a rendered page.
 */
export function endpoint<Path = undefined, Query = undefined, Body = undefined, Caller = void>(
  spec: EndpointSpec<Path, Query, Body, Caller>,
  work: (input: EndpointInput<Path, Query, Body, Caller>) => unknown,
): Endpoint {
  // The schemas of the specification produced the input.
  const action = (input: AnyInput) => work(input as EndpointInput<Path, Query, Body, Caller>);
  return Object.assign(buildEndpoint(LINKS, spec, action), { spec });
}

async function admit(
  ctx: Context<State>,
  { rateLimit, authorize }: AnySpec,
  meter: Meter,
): Promise<unknown> {
  if (rateLimit !== undefined) meter.allowance = await consumeAddressLimit(ctx, rateLimit);
  return await authorize?.(ctx);
}

/** Reads and validates the input of an action, except the body. */
function readInput(ctx: Context<State>, { path, query }: AnySpec, caller: unknown): AnyInput {
  const { req: request, state: { app } } = ctx;
  return {
    app,
    caller,
    request,
    clientAddress: () => clientAddressOf(app.addresses, request, ctx.info),
    isGet: request.method === "GET",
    render: (content) => ctx.render(content, { headers: { "cache-control": "no-store" } }),
    path: parse(path, ctx.params),
    query: parse(query, query === undefined ? null : readQuery(ctx)),
    body: undefined,
  };
}

async function withBody(ctx: Context<State>, input: AnyInput, schema: z.ZodType): Promise<AnyInput> {
  return { ...input, body: parse(schema, await readJson(ctx)) };
}

/** Validates a value; without a schema the value is undefined, as the action then expects. */
function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw toValidationError(parsed.error);
}

/** Converts validation errors to a refusal: the first problem as its message, all of them by field. */
function toValidationError(error: z.ZodError): AppError {
  const errors = error.issues.map(({ code, path, message }) => ({
    code: code === "custom" ? "invalid_value" : code,
    path: path.map((part) => typeof part === "symbol" ? String(part) : part),
    message,
  }));
  const field = errors[0]?.path.join(".") ?? "";
  const sentence = errors[0]?.message ?? "The request is not valid.";
  return new AppError("BAD_REQUEST", field === "" ? sentence : `${field}: ${sentence}`, { errors });
}

/** Reads `ctx.url` only for a URL with a query, because it is parsed then. */
function readQuery(ctx: Context<State>): Record<string, string> {
  return ctx.req.url.includes("?") ? Object.fromEntries(ctx.url.searchParams) : {};
}

function toLinksResponse(result: unknown, status: number, input: AnyInput): Response {
  if (result instanceof EndpointResponse) return toComposedResponse(result, input);
  return result instanceof Response ? result : toJsonResponse(result, status);
}

function toComposedResponse(
  { status, body, headers }: EndpointResponse,
  { app, request }: AnyInput,
): Response {
  const { unreadResponses } = app;
  const stream = body instanceof ReadableStream ? unreadResponses.watch(request, body) : null;
  const content = isLong(body) ? unreadResponses.slice(request, body) : stream ?? body;
  const response = new Response(content, { status });
  if (isLong(body)) response.headers.set("content-length", String(body.length));
  // Setting headers one by one is several times as fast as passing them to the constructor.
  for (const name in headers) response.headers.set(name, headers[name] ?? "");
  return response;
}

function toJsonResponse(body: unknown, status: number): Response {
  const text = JSON.stringify(body);
  const response = status === 200 ? new Response(text) : new Response(text, { status });
  response.headers.set("content-type", "application/json");
  response.headers.set("cache-control", "no-store");
  return response;
}
