import type { Context } from "fresh";
import type { z } from "zod";
import type { RateLimitName } from "@/lib/rate_limit_rules.ts";
import { AppError, type ErrorCode } from "@/lib/core/errors.ts";
import { Answer } from "./answer.ts";
import { readJson } from "./body.ts";
import { clientAddressOf } from "../services/client_address.ts";
import type { Allowance } from "../services/rate_limit.ts";
import type { Services, State } from "../services/services.ts";

/** Specification of an endpoint: it handles requests and is published at `/openapi.json`. */
export interface EndpointSpec<Path, Query, Body> {
  /** One line for the API documentation. */
  readonly summary: string;
  readonly description?: string;
  readonly path?: z.ZodType<Path>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly success: { readonly status: number; readonly description: string; readonly schema?: z.ZodType };
  /** Whether the description lists the success as the default response. */
  readonly isDefaultAnswer?: boolean;
  /** Further responses that are not refusals. */
  readonly also?: Readonly<Record<number, string>>;
  readonly refusals?: readonly ErrorCode[];
  readonly rateLimit?: RateLimitName;
  /** Refuses unauthorized callers before anything of the request is read. */
  readonly authorize?: (app: Services, request: Request) => Promise<void>;
  /** Whether it may require a bearer key. */
  readonly takesBearerKey?: boolean;
  /** Whether pages of other origins may read the response. */
  readonly isOpenToOrigins?: boolean;
}

/** Input of an endpoint's action. */
export interface EndpointInput<Path, Query, Body> {
  readonly app: Services;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** Returns the client's address, as trusted proxies report it. */
  readonly clientAddress: () => string;
  /** False for HEAD, which must not change anything. */
  readonly isGet: boolean;
}

/** A handler that carries its specification. */
export interface Endpoint {
  (ctx: Context<State>): Promise<Response>;
  readonly spec: EndpointSpec<unknown, unknown, unknown>;
}

/**
 * Creates an endpoint: counts the request against its limit, validates path, query and body by their schemas,
 * and responds with the result of `work`, a plain object as JSON or an `Answer`.
 */
export function endpoint<Path = undefined, Query = undefined, Body = undefined>(
  spec: EndpointSpec<Path, Query, Body>,
  work: (input: EndpointInput<Path, Query, Body>) => unknown,
): Endpoint {
  const handle = async (ctx: Context<State>): Promise<Response> => {
    const { app } = ctx.state;
    const request = ctx.req;
    const allowance = spec.rateLimit === undefined ? null : await consumeLimit(ctx, spec.rateLimit);
    if (spec.authorize !== undefined) await spec.authorize(app, request);
    const input = {
      app,
      request,
      clientAddress: () => clientAddressOf(app.addresses, request, ctx.info),
      isGet: request.method === "GET",
      path: parse(spec.path, ctx.params),
      query: parse(spec.query, spec.query === undefined ? null : readQuery(ctx.url)),
      body: parse(spec.body, spec.body === undefined ? null : await readJson(request)),
    };
    const result = await work(input);
    const response = result instanceof Answer
      ? toResponse(result)
      : toJsonResponse(result, spec.success.status);
    if (spec.isOpenToOrigins) response.headers.set("access-control-allow-origin", "*");
    if (allowance !== null) setAllowance(response.headers, app.clock.now(), allowance);
    return response;
  };
  return Object.assign(handle, { spec });
}

/** Validates a value; without a schema the value is undefined, as the action then expects. */
function parse<T>(schema: z.ZodType<T> | undefined, value: unknown): T {
  if (schema === undefined) return undefined as T;
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

function readQuery(url: URL): Record<string, string> {
  return url.search === "" ? {} : Object.fromEntries(url.searchParams);
}

function toResponse({ status, body, headers }: Answer): Response {
  const response = new Response(body, { status });
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

async function consumeLimit(
  { state, req, info }: Context<State>,
  name: RateLimitName,
): Promise<Allowance | null> {
  const { limiter, addresses } = state.app;
  return limiter === null ? null : await limiter.consume(name, clientAddressOf(addresses, req, info));
}

function setAllowance(headers: Headers, now: number, { limit, remaining, resetMs }: Allowance): void {
  headers.set("x-ratelimit-limit", String(limit));
  headers.set("x-ratelimit-remaining", String(remaining));
  headers.set("x-ratelimit-reset", String(Math.ceil((now + resetMs) / 1000)));
}
