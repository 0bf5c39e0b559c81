import { serialize } from "node:v8";
import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import type { Caller } from "../users/caller.ts";
import { requireAdmin } from "../users/rights.ts";
import { getUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { type ProfileFieldRecord, profileKeys } from "./profile_field.ts";
import { fieldNotFound } from "./refusal.ts";
import { toProfileField } from "./view.ts";

/** The largest record, in bytes as stored: its event, a little larger, must fit into the store's 64 KiB. */
export const MAX_RECORD_BYTES = 60 * 1024;

/** Bytes that something takes in the store. */
export function storedSize(value: unknown): number {
  return serialize(value).length;
}

/** An organization's fields in their order. */
export async function readFields(app: ChatApp, realmId: number): Promise<readonly ProfileFieldRecord[]> {
  return await app.reads.read<readonly ProfileFieldRecord[]>(profileKeys.fields(realmId)) ?? [];
}

/** An organization's fields in their order, as a transaction sees them. */
export async function getFields(tx: Tx, realmId: number): Promise<readonly ProfileFieldRecord[]> {
  return await tx.get<readonly ProfileFieldRecord[]>(profileKeys.fields(realmId)) ?? [];
}

/**
 * One of some fields.
 * @throws AppError BAD_REQUEST when none has the id.
 */
export function fieldOf(fields: readonly ProfileFieldRecord[], id: number): ProfileFieldRecord {
  const field = fields.find((each) => each.id === id);
  if (field === undefined) throw fieldNotFound(id);
  return field;
}

/**
 * Writes an organization's fields and tells everybody; `now` in milliseconds.
 * @throws AppError BAD_REQUEST when they do not fit into one record of the store.
 */
export function putFields(
  tx: Tx,
  at: { realmId: number; now: number },
  fields: readonly ProfileFieldRecord[],
): void {
  const event = { type: "custom_profile_fields", fields: fields.map(toProfileField) };
  if (Math.max(storedSize(fields), storedSize(event)) > MAX_RECORD_BYTES) {
    throw new AppError("BAD_REQUEST", "The profile fields and their choices are too long altogether.");
  }
  tx.set(profileKeys.fields(at.realmId), fields);
  sendEvent(tx, at, { event, audience: "everyone" });
}

/**
 * Who acts, as the transaction sees him.
 * @throws AppError USER_DEACTIVATED.
 */
export async function getActor(tx: Tx, { realm, actingUser }: Caller): Promise<UserRecord> {
  const actor = await getUser(tx, realm.id, actingUser.id);
  if (!actor.is_active) throw new AppError("USER_DEACTIVATED", "Account is deactivated");
  return actor;
}

/**
 * Lets administrators through, as the transaction sees them.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or USER_DEACTIVATED.
 */
export async function requireFieldRight(tx: Tx, caller: Caller): Promise<void> {
  requireAdmin(await getActor(tx, caller));
}
