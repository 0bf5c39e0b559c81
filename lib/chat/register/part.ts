import type { z } from "zod";
import type { ChatApp } from "../app.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { PresenceQuery } from "../presence/list_presences.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import type { ClientCapability } from "./queue.ts";

/** What a part of the state is read from that spectators are given too: it knows of no account. */
export interface OpenCall {
  readonly app: ChatApp;
  readonly realm: RealmRecord;
  readonly permissions: PermissionContext;
  readonly capabilities: readonly ClientCapability[];
}

/** What a part of the state is read from: everything as it was after the queue was there, so that no change is missed. */
export interface RegisterCall extends OpenCall {
  readonly user: UserRecord;
  /** Whether the client draws pictures for those who uploaded none. */
  readonly drawsAvatars: boolean;
  /** How the client wants presence. */
  readonly presence: PresenceQuery;
  /** Whether channels come with those who are subscribed to them; of large ones perhaps only some. */
  readonly subscribers: boolean | "partial";
  /** Every account of the organization by id, read when it is first asked for. */
  readonly users: () => Promise<readonly UserRecord[]>;
}

/** Which clients are given a part of the state. */
export interface PartFor {
  /** Those that want events of this type. */
  readonly type: string;
  /** And of this one as well, as without them what was given could not be kept up to date. */
  readonly needs?: string;
  /** But for those that name this type, which took the part's place. */
  readonly unless?: string;
}

/** One part of the state, for callers of one kind. */
export interface Part<Call extends OpenCall = RegisterCall> extends PartFor {
  /** What it gives, for the API's documentation. */
  readonly fields: z.ZodRawShape;
  readonly read: (call: Call) => Promise<object>;
}

/** Something under each name of a schema. */
type Named<S extends z.ZodObject> = { readonly [Name in keyof z.infer<S>]: unknown };
type Reader<Call, S extends z.ZodObject> = (call: Call) => Named<S> | Promise<Named<S>>;

/** A part whose fields have the names that a schema has, for clients that want events of a type. */
export function part<S extends z.ZodObject>(
  whose: string | PartFor,
  schema: S,
  read: Reader<RegisterCall, S>,
): Part {
  return toPart(whose, schema, read);
}

/** The same for a part that spectators are given as well. */
export function openPart<S extends z.ZodObject>(
  whose: string | PartFor,
  schema: S,
  read: Reader<OpenCall, S>,
): Part<OpenCall> {
  return toPart(whose, schema, read);
}

function toPart<Call extends OpenCall, S extends z.ZodObject>(
  whose: string | PartFor,
  schema: S,
  read: Reader<Call, S>,
): Part<Call> {
  const given = typeof whose === "string" ? { type: whose } : whose;
  return { ...given, fields: schema.shape, read: (call) => Promise.resolve(read(call)) };
}

/** Everything that the wanted parts give together; who names no types wants all. */
export async function readParts<Call extends OpenCall>(
  parts: readonly Part<Call>[],
  call: Call,
  types: readonly string[] | undefined,
): Promise<object> {
  const wanted = parts.filter((part) => isWanted(part, types));
  const read = await Promise.all(wanted.map((part) => part.read(call)));
  return read.reduce((answer, fields) => ({ ...answer, ...fields }), {});
}

/** Whether a client is given a part that names the types that it wants; who names none wants all. */
export function isWanted(
  { type, needs = type, unless }: PartFor,
  types: readonly string[] | undefined,
): boolean {
  if (types === undefined) return true;
  return types.includes(type) && types.includes(needs) && (unless === undefined || !types.includes(unless));
}
