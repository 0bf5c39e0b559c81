import type { z } from "zod";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { PresenceQuery } from "@/lib/chat/people/presence/model.ts";
import type { UserList, UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { ClientCapability } from "./events/queues.ts";

/** Input of a part of the initial state that spectators receive as well: it knows no account. */
export interface SpectatorContext {
  readonly app: ChatApp;
  readonly realm: RealmRecord;
  readonly permissions: PermissionContext;
  readonly capabilities: readonly ClientCapability[];
}

/**
 * Input of a part of the initial state: everything is read after the queue was created, so that no change is
 * missed.
 */
export interface StateContext extends SpectatorContext {
  readonly user: UserRecord;
  /** Whether the client draws the avatars of users who uploaded none. */
  readonly drawsAvatars: boolean;
  readonly presence: PresenceQuery;
  /** Whether channels include their subscribers; `partial` allows a part of them for large channels. */
  readonly subscribers: boolean | "partial";
  /** Returns the accounts of the organization; read on the first call. */
  readonly userList: () => Promise<UserList>;
  readonly users: () => Promise<readonly UserRecord[]>;
  /** Returns what several parts share; `read` is called once for all of them. */
  readonly share: <T>(read: (context: StateContext) => Promise<T>) => Promise<T>;
}

/** Condition on the requested event types under which a client receives a part. */
interface PartCondition {
  /** A type that the client has to request. */
  readonly type: string;
  /** Another type that it has to request: the part could not be kept up to date without these events. */
  readonly needs?: string;
  /** A newer type that replaces the part when it is requested by name. */
  readonly unless?: string;
}

export interface StatePart<Context extends SpectatorContext = StateContext> extends PartCondition {
  /** Schema of its fields, for the API's documentation. */
  readonly fields: z.ZodRawShape;
  readonly read: (context: Context) => Promise<object>;
}

type Named<S extends z.ZodObject> = { readonly [Name in keyof z.infer<S>]: unknown };
type Reader<Context, S extends z.ZodObject> = (context: Context) => Named<S> | Promise<Named<S>>;

/** Defines a part with the fields of a schema, for clients that request events of a type. */
export function statePart<S extends z.ZodObject>(
  condition: string | PartCondition,
  schema: S,
  read: Reader<StateContext, S>,
): StatePart {
  return toPart(condition, schema, read);
}

/** Defines a part that spectators receive as well. */
export function spectatorPart<S extends z.ZodObject>(
  condition: string | PartCondition,
  schema: S,
  read: Reader<SpectatorContext, S>,
): StatePart<SpectatorContext> {
  return toPart(condition, schema, read);
}

function toPart<Context extends SpectatorContext, S extends z.ZodObject>(
  condition: string | PartCondition,
  schema: S,
  read: Reader<Context, S>,
): StatePart<Context> {
  const required = typeof condition === "string" ? { type: condition } : condition;
  return { ...required, fields: schema.shape, read: (context) => Promise.resolve(read(context)) };
}

/** Returns the fields of all requested parts; undefined types request every part. */
export async function readParts<Context extends SpectatorContext>(
  parts: readonly StatePart<Context>[],
  context: Context,
  types: readonly string[] | undefined,
): Promise<object> {
  const requested = parts.filter((part) => isRequested(part, types));
  const read = await Promise.all(requested.map((part) => part.read(context)));
  return read.reduce((state, fields) => ({ ...state, ...fields }), {});
}

/** Whether the types that a client requested include a part; undefined types request every part. */
export function isRequested(
  { type, needs = type, unless }: PartCondition,
  types: readonly string[] | undefined,
): boolean {
  if (types === undefined) return true;
  return types.includes(type) && types.includes(needs) && (unless === undefined || !types.includes(unless));
}
