import type { z } from "zod";
import type { ChatApp } from "../app.ts";
import type { GroupWorld } from "../permissions/group_world.ts";
import type { PresenceQuery } from "../presence/list_presences.ts";
import type { RealmRecord } from "../realm/realm.ts";
import type { UserRecord } from "../users/user.ts";
import type { ClientCapability } from "./queue.ts";

/** What a part of the state is read from: everything as it was after the queue was there, so that no change is missed. */
export interface RegisterCall {
  readonly app: ChatApp;
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly world: GroupWorld;
  readonly capabilities: readonly ClientCapability[];
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

/** One part of the state. */
export interface Part extends PartFor {
  /** What it gives, for the API's documentation. */
  readonly fields: z.ZodRawShape;
  read(call: RegisterCall): Promise<object>;
}

/** Something under each name of a schema. */
type Named<S extends z.ZodObject> = { readonly [Name in keyof z.infer<S>]: unknown };

/** A part whose fields have the names that a schema has, for clients that want events of a type. */
export function part<S extends z.ZodObject>(
  whose: string | PartFor,
  schema: S,
  read: (call: RegisterCall) => Named<S> | Promise<Named<S>>,
): Part {
  const given = typeof whose === "string" ? { type: whose } : whose;
  return { ...given, fields: schema.shape, read: (call) => Promise.resolve(read(call)) };
}

/** Whether a client is given a part that names the types that it wants; who names none wants all. */
export function isWanted(
  { type, needs = type, unless }: PartFor,
  types: readonly string[] | undefined,
): boolean {
  if (types === undefined) return true;
  return types.includes(type) && types.includes(needs) && (unless === undefined || !types.includes(unless));
}
