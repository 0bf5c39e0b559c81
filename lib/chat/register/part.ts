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
  /** Every account of the organization by id, read when it is first asked for. */
  readonly users: () => Promise<readonly UserRecord[]>;
}

/** One part of the state: a client that wants events of its type is given it. */
export interface Part {
  readonly type: string;
  /** What it gives, for the API's documentation. */
  readonly fields: z.ZodRawShape;
  read(call: RegisterCall): Promise<object>;
}

/** Something under each name of a schema. */
type Named<S extends z.ZodObject> = { readonly [Name in keyof z.infer<S>]: unknown };

/** A part whose fields have the names that a schema has. */
export function part<S extends z.ZodObject>(
  type: string,
  schema: S,
  read: (call: RegisterCall) => Named<S> | Promise<Named<S>>,
): Part {
  return { type, fields: schema.shape, read: (call) => Promise.resolve(read(call)) };
}
