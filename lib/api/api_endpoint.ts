import type { Context } from "fresh";
import type { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { toAppOfRequest } from "@/lib/chat/register/create_app.ts";
import type { Params, ParamValues } from "@/lib/chat/organization/params/param.ts";
import { readParams } from "@/lib/chat/organization/params/read.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { MAX_RESPONSE_BYTES } from "@/lib/core/response_bytes.ts";
import { AppError, STATUS } from "@/lib/core/errors.ts";
import { withAliases } from "./methods.ts";
import { buildEndpoint, type Meter, type Protocol } from "./build_endpoint.ts";
import { clientAddressOf } from "../services/client_address.ts";
import { toErrorResponse } from "./envelope.ts";
import { readRequest, type UploadLimit } from "./fields.ts";
import { toJsonBody } from "./body.ts";
import { CALLER_HEADERS, toCompressedResponse, toSecretResponse } from "./response.ts";
import { findOpenRealm, requireKeyHolder, requirePrincipal, requireWebhookBot } from "./principal.ts";
import { LimitHit } from "../services/rate_limit.ts";
import { type Access, type Refusal, requireAccess } from "./access.ts";
import { consumeAddressLimit, consumeLimits, type LimitSubject } from "./request_limits.ts";
import { findRealm } from "./request_realm.ts";
import type { Services, State } from "../services/services.ts";

export { methods } from "./methods.ts";

/** Specification of an endpoint of the chat API: it handles requests and is published at `/openapi.json`. */
interface ApiSpec<W extends Access, P extends Params, Id extends string> {
  /** One line for the API documentation. */
  readonly summary: string;
  readonly description?: string;
  readonly access: W;
  /** None by default. */
  readonly params?: P;
  /** Limit that its requests count towards in place of the account's. */
  readonly limit?: "api_events";
  /**
   * Whether a request counts as activity of the calling person: by default all do but those that only read. Requests
   * that clients send by themselves do not.
   */
  readonly isActivity?: boolean;
  /** Whether callers must present an API key; a browser session is not enough. */
  readonly needsKey?: boolean;
  /** Whether callers of a public endpoint present the id and key of a registered server. */
  readonly isForServers?: boolean;
  /** Path segments that are ids, which are whole numbers. */
  readonly ids?: readonly Id[];
  /** Files that the body may hold; without it files are ignored. */
  readonly upload?: UploadLimit;
  /** Refuses callers of a public endpoint before its parameters are read. */
  readonly before?: (ctx: Context<State>) => Promise<void>;
  /** Whether the action reads the body itself while it arrives; parameters then come from the query only. */
  readonly isStreamed?: boolean;
  /** Schema of a JSON body that the action reads itself; parameters then come from the query only. */
  readonly json?: z.ZodType;
  /** Whether clients read it at start: compatibility aliases are then added to its fields. */
  readonly isReadAtStart?: boolean;
  /** Whether its responses contain keys, tokens or links that grant access; these are never compressed. */
  readonly holdsSecrets?: boolean;
  /** Fields of a success besides `result` and `msg`. */
  readonly success?: z.ZodObject;
  /** Error codes beyond those that follow from access, parameters and method. */
  readonly refusals?: readonly Refusal[];
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
  /** The calling account with its organization. */
  readonly caller: W extends "public" ? null : W extends "anyone_or_spectator" ? Caller | null : Caller;
  readonly ctx: Context<State>;
  readonly clientAddress: () => string;
}

/** A handler of the chat API that carries its specification. */
export interface ApiEndpoint {
  (ctx: Context<State>): Promise<Response>;
  readonly apiSpec: AnySpec;
}

type AnySpec = ApiSpec<Access, Params, string> & { readonly params: Params };
/** A caller with the ids in the request's path. */
interface Admitted extends LimitSubject {
  readonly ids: Readonly<Record<string, number>>;
}

/** An action's input with the names of ignored parameters, which the response lists. */
interface AnyCall extends Omit<ApiCall<Access, Params, string>, "realm" | "user" | "caller">, LimitSubject {
  readonly caller: Caller | null;
  readonly ignored: readonly string[];
}

/** The chat API's protocol: callers are accounts, input is a form, and every response has its envelope. */
const CHAT: Protocol<AnySpec, Admitted, AnyCall, object | void> = {
  async admit(ctx, spec, meter) {
    // A path with another text in place of an id does not exist for any caller.
    const ids = readIds(spec.ids ?? [], ctx.params);
    const caller = await identify(ctx, spec);
    meter.allowance = await consumeLimits(ctx, caller, spec.limit);
    if (caller.user !== null) requireAccess(spec.access, caller.user);
    return { ...caller, ids };
  },
  async readCall(ctx, spec, { realm, user, ids }) {
    const services = ctx.state.app;
    const { fields, files } = spec.isStreamed === true || spec.json !== undefined
      ? { fields: new Map(ctx.url.searchParams), files: [] }
      : await readRequest(ctx, ctx.url.searchParams, spec.upload);
    const { values: params, ignored } = readParams(spec.params, fields);
    const clientAddress = () => clientAddressOf(services.addresses, ctx.req, ctx.info);
    const ignore = (name: string) => void ignored.push(name);
    const app = realm === null ? services.chat : toAppOfRequest(services.chat, realm.id);
    const input = { services, app, params, files, ignored, ignore, ids, ctx, clientAddress };
    const caller = realm === null || user === null ? null : { realm, actingUser: user };
    return { ...input, realm, user, caller };
  },
  toResponse(result, { isReadAtStart = false, holdsSecrets = false }, { services, ignored, ctx }) {
    const body = { result: "success", msg: "", ...result };
    const aliased = withAliases(body, isReadAtStart ? services.config.compatibilityAliases : {});
    const whole = toJsonBody(withIgnored(aliased, ignored));
    const json = typeof whole === "string"
      ? whole
      : services.unreadResponses.watch(ctx.req, whole, MAX_RESPONSE_BYTES);
    return holdsSecrets ? toSecretResponse(json) : toCompressedResponse(json, ctx.req.headers);
  },
  toRefusal,
};

/**
 * Creates an endpoint of the chat API: authorizes the caller, counts the request against their limits,
 * validates the parameters, and responds with the result of `work` and the names of ignored parameters.
 */
export function apiEndpoint<
  W extends Access,
  P extends Params = Record<never, never>,
  const Id extends string = never,
>(
  given: ApiSpec<W, P, Id>,
  work: (call: ApiCall<W, P, Id>) => Promise<object | void>,
): ApiEndpoint {
  const spec = { ...given, params: given.params ?? {} };
  // Public endpoints have no caller and some allow spectators; all others have one, as their type states.
  const action = async (call: AnyCall) => {
    const result = await work(call as unknown as ApiCall<W, P, Id>);
    recordActivity(spec, call);
    return result;
  };
  return Object.assign(buildEndpoint(CHAT, spec, action), { apiSpec: spec });
}

function recordActivity(
  { isActivity }: Pick<AnySpec, "isActivity">,
  { app, realm, user, ctx }: AnyCall,
): void {
  const isChange = ctx.req.method !== "GET" && ctx.req.method !== "HEAD";
  if (realm !== null && user !== null && (isActivity ?? isChange)) app.activity.record(realm, user);
}

async function identify(
  ctx: Context<State>,
  { access, before, needsKey = false }: IdentifySpec,
): Promise<LimitSubject> {
  await before?.(ctx);
  if (access === "public") return { realm: await findRealm(ctx), user: null };
  const open = access === "anyone_or_spectator" ? await findOpenRealm(ctx) : null;
  if (open !== null) return { realm: open, user: null };
  try {
    if (access === "incoming_webhook") return await requireWebhookBot(ctx);
    return needsKey ? await requireKeyHolder(ctx) : await requirePrincipal(ctx);
  } catch (error) {
    // A client that guesses keys is counted as a stranger.
    if (error instanceof AppError && STATUS[error.code] === 401) {
      await consumeAddressLimit(ctx, "api_address");
    }
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
 * Refusals carry the remaining limit, too. The middleware handles failures, which it logs, and missing
 * credentials, which it words for browsers.
 */
function toRefusal(error: unknown, meter: Meter): Response {
  if (error instanceof LimitHit) meter.allowance = error.allowance;
  if (!(error instanceof AppError) || meter.allowance === null) throw error;
  const status = STATUS[error.code];
  if (status === 401 || status >= 500) throw error;
  const response = toErrorResponse(error, "chat");
  response.headers.set("vary", CALLER_HEADERS);
  return response;
}

function withIgnored(body: object, ignored: readonly string[]): object {
  return ignored.length === 0 ? body : { ...body, ignored_parameters_unsupported: [...new Set(ignored)] };
}
