import type { Context } from "fresh";
import type { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Params, ParamValues } from "@/lib/chat/params/param.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { AppError, type ErrorCode } from "@/lib/core/errors.ts";
import { withAliases } from "./aliases.ts";
import { clientAddressOf } from "../services/client_address.ts";
import { STATUS, toErrorResponse } from "./envelope.ts";
import { readRequest, type UploadLimit } from "./fields.ts";
import { findOpenRealm, requireKeyHolder, requirePrincipal } from "./principal.ts";
import { type Allowance, LimitHit } from "../services/rate_limit.ts";
import { findRealm } from "./request_realm.ts";
import type { Services, State } from "../services/services.ts";
import { type Access, requireAccess } from "./access.ts";

/** Specification of an endpoint of the chat API: it handles requests and is published at `/openapi.json`. */
export interface ApiSpec<W extends Access, P extends Params, Id extends string> {
  /** One line for the API documentation. */
  readonly summary: string;
  readonly description?: string;
  readonly access: W;
  readonly params: P;
  /** Limit that its requests count towards in place of the account's. */
  readonly limit?: "api_events";
  /** Whether callers must present an API key; a browser session is not enough. */
  readonly needsKey?: boolean;
  /** Path segments that are ids, which are whole numbers. */
  readonly ids?: readonly Id[];
  /** Files that the body may hold; without it files are ignored. */
  readonly upload?: UploadLimit;
  /** Refuses callers of a public endpoint before its parameters are read. */
  readonly before?: (ctx: Context<State>) => Promise<void>;
  /** Whether the action reads the body itself while it arrives; parameters then come from the query only. */
  readonly isStreamed?: boolean;
  /** Whether clients read it at start: compatibility aliases are then added to its fields. */
  readonly isReadAtStart?: boolean;
  /** Fields of a success besides `result` and `msg`. */
  readonly success?: z.ZodObject;
  /** Error codes beyond those of every endpoint. */
  readonly refusals?: readonly ErrorCode[];
}

/** Input of an endpoint's action. */
export interface ApiCall<W extends Access, P extends Params, Id extends string> {
  readonly services: Services;
  readonly app: ChatApp;
  readonly params: ParamValues<P>;
  /** Files of the body, where the endpoint takes any. */
  readonly files: readonly Uint8Array[];
  /** Reports an ignored parameter of a body that the endpoint reads itself. */
  readonly ignore: (name: string) => void;
  readonly ids: Readonly<Record<Id, number>>;
  /** Null on public endpoints, for a host without an organization. */
  readonly realm: W extends "public" ? RealmRecord | null : RealmRecord;
  /** The calling account; null on public endpoints and for spectators. */
  readonly user: W extends "public" ? null : W extends "anyone_or_spectator" ? UserRecord | null : UserRecord;
  readonly ctx: Context<State>;
  readonly clientAddress: () => string;
}

/** A handler of the chat API that carries its specification. */
export interface ApiEndpoint {
  (ctx: Context<State>): Promise<Response>;
  readonly apiSpec: ApiSpec<Access, Params, string>;
}

/**
 * Creates an endpoint of the chat API: authorizes the caller, counts the request against their limits,
 * validates the parameters, and responds with the result of `work` and the names of ignored parameters.
 */
export function apiEndpoint<W extends Access, P extends Params, const Id extends string = never>(
  spec: ApiSpec<W, P, Id>,
  work: (call: ApiCall<W, P, Id>) => Promise<object | void>,
): ApiEndpoint {
  const answer = async (ctx: Context<State>, caller: Caller, ids: Record<Id, number>): Promise<Response> => {
    const services = ctx.state.app;
    if (caller.user !== null) requireAccess(spec.access, caller.user);
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
    // A path with another text in place of an id does not exist for any caller.
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

/** Remaining requests of the strictest limit; null when nothing was counted. */
interface Meter {
  allowance: Allowance | null;
}

/**
 * Refusals carry the remaining limit, too. The middleware handles failures, which it logs, and missing
 * credentials, which it words for browsers.
 */
function toRefusal(error: unknown, meter: Meter): Response {
  if (error instanceof LimitHit) meter.allowance = error.allowance;
  if (!(error instanceof AppError) || meter.allowance === null) throw error;
  const status = STATUS[error.code];
  if (status === 401 || status >= 500) throw error;
  return toErrorResponse(error, "chat");
}

/** The caller's organization and account; null where they are unknown. */
export interface Caller {
  readonly realm: RealmRecord | null;
  readonly user: UserRecord | null;
}

/** Public endpoints have no caller and some allow spectators; all others have one, as their type states. */
function toCall<W extends Access, P extends Params, Id extends string>(
  call: Omit<ApiCall<Access, P, Id>, "realm" | "user"> & Caller,
): ApiCall<W, P, Id> {
  return call as ApiCall<W, P, Id>;
}

async function identify(
  ctx: Context<State>,
  { access, before, needsKey = false }: IdentifySpec,
): Promise<Caller> {
  await before?.(ctx);
  if (access === "public") return { realm: await findRealm(ctx), user: null };
  const open = access === "anyone_or_spectator" ? await findOpenRealm(ctx) : null;
  if (open !== null) return { realm: open, user: null };
  try {
    return needsKey ? await requireKeyHolder(ctx) : await requirePrincipal(ctx);
  } catch (error) {
    // A client that guesses keys is counted as a stranger.
    if (error instanceof AppError && STATUS[error.code] === 401) await consumeAddress(ctx);
    throw error;
  }
}

type IdentifySpec = Pick<ApiSpec<Access, Params, string>, "access" | "needsKey" | "before">;

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
 * Counts a request against the limits of its caller, or of its address when the caller is unknown.
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
  // A request refused by the limit per minute must not count towards the limit per hour.
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
