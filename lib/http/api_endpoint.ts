import type { Context } from "fresh";
import type { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Params, ParamValues } from "@/lib/chat/params/param.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import type { RealmRecord } from "@/lib/chat/realm/realm.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import { AppError, type ErrorCode } from "@/lib/core/errors.ts";
import { withAliases } from "./aliases.ts";
import { clientAddressOf } from "./client_address.ts";
import { STATUS, toErrorResponse } from "./envelope.ts";
import { readRequest, type UploadLimit } from "./fields.ts";
import { findOpenRealm, requireKeyHolder, requirePrincipal } from "./principal.ts";
import { type Allowance, LimitHit } from "./rate_limit.ts";
import { findRealm } from "./request_realm.ts";
import type { Services, State } from "./services.ts";
import { requireWho, type Who } from "./who.ts";

/** What an endpoint of the chat API takes and gives: handles requests, and is published at `/openapi.json`. */
export interface ApiSpec<W extends Who, P extends Params, Id extends string> {
  /** One line for the API's documentation. */
  readonly summary: string;
  readonly description?: string;
  readonly who: W;
  readonly params: P;
  /** A limit of its own that its requests count towards, instead of those of an account. */
  readonly limit?: "api_events";
  /** Whether the caller must show his API key: a session in a browser is not enough. */
  readonly needsKey?: boolean;
  /** Segments of the path that are ids: whole numbers. */
  readonly ids?: readonly Id[];
  /** The files that the body may hold; without it they are passed over. */
  readonly upload?: UploadLimit;
  /** Refuses callers of a public endpoint before its parameters are read. */
  readonly before?: (ctx: Context<State>) => Promise<void>;
  /** Whether the work reads the body itself, as it comes; parameters then stand in the query alone. */
  readonly isStreamed?: boolean;
  /** Whether clients read it before all else: its fields then come under the names that the operator adds, too. */
  readonly isReadAtStart?: boolean;
  /** What a success holds besides `result` and `msg`. */
  readonly success?: z.ZodObject;
  /** Refusals beyond those that every endpoint has. */
  readonly refusals?: readonly ErrorCode[];
}

/** What an endpoint's work is given. */
export interface ApiCall<W extends Who, P extends Params, Id extends string> {
  readonly services: Services;
  readonly app: ChatApp;
  readonly params: ParamValues<P>;
  /** The files of the body, where the endpoint takes any. */
  readonly files: readonly Uint8Array[];
  /** Names a parameter that nobody asked for: where an endpoint reads the body itself, as none else does it then. */
  readonly ignore: (name: string) => void;
  readonly ids: Readonly<Record<Id, number>>;
  /** Null on public endpoints, for a host without an organization. */
  readonly realm: W extends "public" ? RealmRecord | null : RealmRecord;
  /** Who calls; null on public endpoints, and for spectators. */
  readonly user: W extends "public" ? null : W extends "anyone_or_spectator" ? UserRecord | null : UserRecord;
  readonly ctx: Context<State>;
  readonly clientAddress: () => string;
}

/** A handler of the chat API that carries its own description. */
export interface ApiEndpoint {
  (ctx: Context<State>): Promise<Response>;
  readonly apiSpec: ApiSpec<Who, Params, string>;
}

/**
 * An endpoint of the chat API: lets those through who may call, counts the request against their limit, checks the
 * parameters, and answers what `work` gives as a success that names the parameters nobody asked for.
 */
export function apiEndpoint<W extends Who, P extends Params, const Id extends string = never>(
  spec: ApiSpec<W, P, Id>,
  work: (call: ApiCall<W, P, Id>) => Promise<object | void>,
): ApiEndpoint {
  const answer = async (ctx: Context<State>, caller: Caller, ids: Record<Id, number>): Promise<Response> => {
    const services = ctx.state.app;
    if (caller.user !== null) requireWho(spec.who, caller.user);
    const { fields: sent, files } = spec.isStreamed === true
      ? { fields: new Map(ctx.url.searchParams), files: [] }
      : await readRequest(ctx.req, ctx.url.searchParams, spec.upload);
    const { values, ignored } = readParams(spec.params, sent);
    const clientAddress = () => clientAddressOf(services.addresses, ctx.req, ctx.info);
    const ignore = (name: string) => void ignored.push(name);
    const call = { services, app: services.chat, params: values, files, ignore, ids, ctx, clientAddress };
    const fields = await work(toCall<W, P, Id>({ ...call, ...caller })) ?? {};
    const body = { result: "success", msg: "", ...fields };
    const aliases = spec.isReadAtStart === true ? services.config.compatibilityAliases : {};
    return toSuccess(withAliases(body, aliases), ignored);
  };
  const handle = async (ctx: Context<State>): Promise<Response> => {
    // A path with something else than an id is no path at all, whoever asks.
    const ids = readIds(spec.ids ?? [], ctx.params);
    const meter: Meter = { allowance: null };
    let response: Response;
    try {
      const caller = await identify(ctx, spec);
      meter.allowance = await consumeLimits(ctx, caller, spec.limit);
      response = await answer(ctx, caller, ids);
    } catch (error) {
      response = toRefusal(error, meter);
    }
    response.headers.set("vary", "Authorization, Cookie");
    if (meter.allowance !== null) setAllowance(response.headers, ctx.state.app.clock.now(), meter.allowance);
    return response;
  };
  return Object.assign(handle, { apiSpec: spec });
}

/** What the strictest limit leaves; null where nothing was counted. */
interface Meter {
  allowance: Allowance | null;
}

/**
 * Refusals tell what a limit leaves, too. Failures and questions for credentials are left to the middleware, which logs
 * the ones and words the others as browsers need it.
 */
function toRefusal(error: unknown, meter: Meter): Response {
  if (error instanceof LimitHit) meter.allowance = error.allowance;
  if (!(error instanceof AppError) || meter.allowance === null) throw error;
  const status = STATUS[error.code];
  if (status === 401 || status >= 500) throw error;
  return toErrorResponse(error, "chat");
}

/** Who asks, and where; null where nobody is known. */
export interface Caller {
  readonly realm: RealmRecord | null;
  readonly user: UserRecord | null;
}

/** Public endpoints are asked by nobody in particular, some by spectators; all others have a caller, as their type says. */
function toCall<W extends Who, P extends Params, Id extends string>(
  call: Omit<ApiCall<Who, P, Id>, "realm" | "user"> & Caller,
): ApiCall<W, P, Id> {
  return call as ApiCall<W, P, Id>;
}

async function identify(
  ctx: Context<State>,
  { who, before, needsKey = false }: IdentifySpec,
): Promise<Caller> {
  await before?.(ctx);
  if (who === "public") return { realm: await findRealm(ctx), user: null };
  const open = who === "anyone_or_spectator" ? await findOpenRealm(ctx) : null;
  if (open !== null) return { realm: open, user: null };
  try {
    return needsKey ? await requireKeyHolder(ctx) : await requirePrincipal(ctx);
  } catch (error) {
    // Whoever guesses is counted as the stranger that he is.
    if (error instanceof AppError && STATUS[error.code] === 401) await consumeAddress(ctx);
    throw error;
  }
}

type IdentifySpec = Pick<ApiSpec<Who, Params, string>, "who" | "needsKey" | "before">;

function readIds<Id extends string>(
  names: readonly Id[],
  segments: Readonly<Record<string, string>>,
): Record<Id, number> {
  const ids: Record<string, number> = {};
  for (const name of names) {
    const text = segments[name] ?? "";
    if (!/^\d+$/.test(text)) throw new AppError("NOT_FOUND", "Not found");
    ids[name] = Number(text);
  }
  return ids;
}

/**
 * Counts a request of the chat's API against its caller's limits, or his address's where nobody is known.
 * @throws AppError RATE_LIMIT_HIT.
 */
export async function consumeLimits(
  ctx: Context<State>,
  { realm, user }: Caller,
  limit?: "api_events",
): Promise<Allowance | null> {
  const { limiter } = ctx.state.app;
  if (limiter === null) return null;
  if (user === null) return await consumeAddress(ctx);
  const client = `${realm?.id} ${user.id}`;
  if (limit !== undefined) return await limiter.consume(limit, client);
  // What the minute refuses must not use the hour up.
  const minute = await limiter.consume("api_user", client);
  const hour = await limiter.consume("api_user_hour", client);
  return hour.remaining < minute.remaining ? hour : minute;
}

async function consumeAddress({ state, req, info }: Context<State>): Promise<Allowance | null> {
  const { limiter, addresses } = state.app;
  return limiter === null
    ? null
    : await limiter.consume("api_address", clientAddressOf(addresses, req, info));
}

function toSuccess(body: object, ignored: readonly string[]): Response {
  const whole = ignored.length === 0
    ? body
    : { ...body, ignored_parameters_unsupported: [...new Set(ignored)] };
  const response = new Response(JSON.stringify(whole));
  response.headers.set("content-type", "application/json");
  response.headers.set("cache-control", "no-store");
  return response;
}

function setAllowance(headers: Headers, now: number, { limit, remaining, resetMs }: Allowance): void {
  headers.set("x-ratelimit-limit", String(limit));
  headers.set("x-ratelimit-remaining", String(remaining));
  headers.set("x-ratelimit-reset", String(Math.ceil((now + resetMs) / 1000)));
}
