import type { Context } from "fresh";
import type { z } from "zod";
import type { ChatApp } from "@/lib/chat/app.ts";
import type { Params, ParamValues } from "@/lib/chat/params/param.ts";
import { readParams } from "@/lib/chat/params/read.ts";
import type { RealmRecord } from "@/lib/chat/realm/realm.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import { AppError, type ErrorCode } from "@/lib/core/errors.ts";
import { clientAddressOf } from "./client_address.ts";
import { readFields } from "./fields.ts";
import { requirePrincipal } from "./principal.ts";
import type { Allowance } from "./rate_limit.ts";
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
  /** Segments of the path that are ids: whole numbers. */
  readonly ids?: readonly Id[];
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
  readonly ids: Readonly<Record<Id, number>>;
  /** Null on public endpoints, for a host without an organization. */
  readonly realm: W extends "public" ? RealmRecord | null : RealmRecord;
  /** Who calls; null on public endpoints. */
  readonly user: W extends "public" ? null : UserRecord;
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
  const handle = async (ctx: Context<State>): Promise<Response> => {
    const services = ctx.state.app;
    const ids = readIds(spec.ids ?? [], ctx.params);
    const caller = await identify(ctx, spec.who);
    const allowance = await consumeLimits(ctx, caller);
    if (caller.user !== null) requireWho(spec.who, caller.user);
    const { values, ignored } = readParams(spec.params, await readFields(ctx.req, ctx.url.searchParams));
    const clientAddress = () => clientAddressOf(services.addresses, ctx.req, ctx.info);
    const call = { services, app: services.chat, params: values, ids, ctx, clientAddress, ...caller };
    const fields = await work(toCall<W, P, Id>(call));
    return toSuccess(services, { fields: fields ?? {}, ignored, allowance });
  };
  return Object.assign(handle, { apiSpec: spec });
}

interface Caller {
  readonly realm: RealmRecord | null;
  readonly user: UserRecord | null;
}

/** Public endpoints are asked by nobody in particular; all others have a caller, as their type says. */
function toCall<W extends Who, P extends Params, Id extends string>(
  call: Omit<ApiCall<Who, P, Id>, "realm" | "user"> & Caller,
): ApiCall<W, P, Id> {
  return call as ApiCall<W, P, Id>;
}

async function identify(ctx: Context<State>, who: Who): Promise<Caller> {
  return who === "public" ? { realm: await findRealm(ctx), user: null } : await requirePrincipal(ctx);
}

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

async function consumeLimits(ctx: Context<State>, { realm, user }: Caller): Promise<Allowance | null> {
  const { limiter, addresses } = ctx.state.app;
  if (limiter === null) return null;
  if (user === null) {
    return await limiter.consume("api_address", clientAddressOf(addresses, ctx.req, ctx.info));
  }
  const client = `${realm?.id} ${user.id}`;
  const hour = await limiter.consume("api_user_hour", client);
  const minute = await limiter.consume("api_user", client);
  return hour.remaining < minute.remaining ? hour : minute;
}

function toSuccess(
  { clock }: Services,
  { fields, ignored, allowance }: {
    fields: object;
    ignored: readonly string[];
    allowance: Allowance | null;
  },
): Response {
  const body = { result: "success", msg: "", ...fields };
  const whole = ignored.length === 0 ? body : { ...body, ignored_parameters_unsupported: ignored };
  const response = new Response(JSON.stringify(whole));
  const { headers } = response;
  headers.set("content-type", "application/json");
  headers.set("cache-control", "no-store");
  headers.set("vary", "Authorization, Cookie");
  if (allowance !== null) {
    headers.set("x-ratelimit-limit", String(allowance.limit));
    headers.set("x-ratelimit-remaining", String(allowance.remaining));
    headers.set("x-ratelimit-reset", String(Math.ceil((clock.now() + allowance.resetMs) / 1000)));
  }
  return response;
}
