import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { requireName } from "@/lib/core/names.ts";
import { type Key, toEntry } from "@/lib/store/key.ts";
import type { ActionContext, ChatApp } from "../organization/app.ts";
import { type NamedEmoji, requireEmoji, resolveEmoji } from "../organization/emoji.ts";
import { getRealm } from "../organization/organizations/model.ts";
import { bool, described, optional, type ParamValues, text, trimmed } from "../organization/params/param.ts";
import { canAccessUser } from "../organization/permissions/model/membership.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import { sendUserEvent } from "../organization/users/events.ts";

import {
  type Caller,
  isAdmin,
  isBot,
  noSuchUser,
  userKeys,
  type UserRecord,
} from "../organization/users/model.ts";
import { act, findAccessibleUser } from "../organization/users/store.ts";

/** The status of a user; parts that are not set are empty. */
export interface StatusRecord {
  readonly status_text: string;
  readonly emoji_name: string;
  readonly emoji_code: string;
  /** Type of the emoji; `unicode_emoji` when there is none. */
  readonly reaction_type: string;
  /** Set by old clients for users who want to appear away. */
  readonly away: boolean;
}

/** A status as clients receive it, without its empty parts. */
type UserStatus = Partial<StatusRecord>;

export const EMPTY_STATUS: StatusRecord = {
  status_text: "",
  emoji_name: "",
  emoji_code: "",
  reaction_type: "unicode_emoji",
  away: false,
};

/** Keys of statuses; an account with an empty status has none. */
export const statusKeys = {
  statuses: (realmId: number): Key => [realmId, "status"],
  status: (realmId: number, userId: number): Key => [realmId, "status", userId],
};

/** Returns a status without its empty parts. */
export function toUserStatus({ status_text, away, ...emoji }: StatusRecord): UserStatus {
  return {
    ...(status_text === "" ? {} : { status_text }),
    ...(emoji.emoji_name === "" ? {} : emoji),
    ...(away ? { away } : {}),
  };
}

export function isEmptyStatus({ status_text, emoji_name, away }: StatusRecord): boolean {
  return status_text === "" && emoji_name === "" && !away;
}

/**
 * Refuses accounts that have no status: unknown, deactivated ones and bots.
 * @throws AppError BAD_REQUEST.
 */
function requireActiveHuman(user: UserRecord | null): UserRecord {
  if (user === null || isBot(user)) throw noSuchUser();
  if (!user.is_active) throw new AppError("BAD_REQUEST", "User is deactivated");
  return user;
}

/** Lists all statuses of an organization by user id, those of deactivated users included. */
export async function listStatuses(
  { store }: ChatApp,
  realmId: number,
): Promise<ReadonlyMap<number, UserStatus>> {
  const statuses = new Map<number, UserStatus>();
  const listing = store.kv.list({ prefix: [...statusKeys.statuses(realmId)] }, { batchSize: 500 });
  for await (const entry of listing) {
    const { key, value } = toEntry<StatusRecord>(entry);
    statuses.set(Number(key.at(-1)), toUserStatus(value));
  }
  return statuses;
}

/** @throws AppError BAD_REQUEST for an unknown, deactivated or inaccessible user, and for a bot. */
export async function getStatus(app: ChatApp, caller: Caller, userId: number): Promise<UserStatus> {
  requireActiveHuman(await findAccessibleUser(app, caller, userId));
  const status = await app.reads.read<StatusRecord>(statusKeys.status(caller.realm.id, userId));
  return status === null ? {} : toUserStatus(status);
}

/** @throws AppError BAD_REQUEST for an invalid user or emoji, or without permission. */
export async function setUserStatus(
  app: ChatApp,
  caller: Caller,
  { userId, input }: { userId: number; input: StatusInput },
): Promise<void> {
  await act(app, caller, async (context) => {
    const { tx, realm, actingUser } = context;
    const found = Number.isSafeInteger(userId)
      ? await tx.get<UserRecord>(userKeys.user(realm.id, userId))
      : null;
    const permissions = permissionsOf(await tx.organization(realm.id), app.clock);
    const isAccessible = found !== null && canAccessUser(permissions, actingUser, found);
    const user = requireActiveHuman(isAccessible ? found : null);
    if (!isAdmin(actingUser)) throw new AppError("BAD_REQUEST", "Insufficient permission");
    await setStatus(context, user, input);
  }, statusLock(caller, userId));
}

/** @throws AppError BAD_REQUEST for an invalid emoji or when nothing is set. */
export async function setOwnStatus(app: ChatApp, caller: Caller, input: StatusInput): Promise<void> {
  const work = (context: ActionContext) => setStatus(context, context.actingUser, input);
  await act(app, caller, work, statusLock(caller, caller.actingUser.id));
}

function statusLock({ realm }: Caller, userId: number): string {
  return `status ${realm.id} ${userId}`;
}

async function setStatus(
  { realm: { id: realmId }, ...action }: ActionContext,
  user: UserRecord,
  input: StatusInput,
): Promise<void> {
  const { app, tx } = action;
  const changes = await toChanges(app, realmId, input);
  const key = statusKeys.status(realmId, user.id);
  const status: StatusRecord = { ...await tx.get<StatusRecord>(key) ?? EMPTY_STATUS, ...changes };
  if (isEmptyStatus(status)) tx.delete(key);
  else tx.set(key, status);
  const context = { ...action, realm: await getRealm(tx, realmId) };
  sendUserEvent(context, user, { type: "user_status", user_id: user.id, ...changes });
}

async function toChanges(app: ChatApp, realmId: number, input: StatusInput): Promise<Partial<StatusRecord>> {
  const { status_text, emoji_name, emoji_code, reaction_type, away } = input;
  if (status_text === undefined && emoji_name === undefined && away === undefined) {
    throw new AppError("BAD_REQUEST", "Client did not pass any new values.");
  }
  if (emoji_name === undefined && (emoji_code !== undefined || reaction_type !== undefined)) {
    throw new AppError(
      "BAD_REQUEST",
      "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
    );
  }
  if (status_text !== undefined) requireName(status_text, "status_text", { mayMixScripts: true });
  const emoji = emoji_name === undefined ? {} : await toEmoji(app, realmId, { ...input, emoji_name });
  return {
    ...(status_text === undefined ? {} : { status_text }),
    ...emoji,
    ...(away === undefined ? {} : { away }),
  };
}

/** Returns an active emoji, or empty parts for an empty name. */
async function toEmoji(
  app: ChatApp,
  realmId: number,
  { emoji_name, emoji_code, reaction_type }: StatusInput & { readonly emoji_name: string },
): Promise<NamedEmoji> {
  if (emoji_name === "") return { emoji_name, emoji_code: "", reaction_type: EMPTY_STATUS.reaction_type };
  const emoji = await resolveEmoji(app, realmId, { emoji_name, emoji_code, reaction_type });
  await requireEmoji(app, realmId, emoji);
  return emoji;
}

export const statusParams = {
  status_text: described(optional(trimmed({ max: 60 })), "The text; empty for none."),
  emoji_name: described(
    optional(text()),
    "The name of the emoji; empty for none. Required with `emoji_code` or `reaction_type`.",
  ),
  emoji_code: described(optional(text()), "The code of the emoji; looked up by name when omitted."),
  reaction_type: described(
    optional(text()),
    "`unicode_emoji`, `realm_emoji` or `service_extra_emoji`; looked up by name when omitted.",
  ),
};

/** Parameters of setting the caller's own status; an absent one keeps its part. */
export const ownStatusParams = {
  ...statusParams,
  away: described(optional(bool()), "For old clients: whether you are shown as away."),
};

type StatusInput = Partial<ParamValues<typeof ownStatusParams>>;

/** A status as the API returns it, without its empty parts. */
export const userStatusSchema = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  away: z.boolean().optional().meta({ description: "Only present when true." }),
}).meta({ id: "UserStatus" });

export const statusResponseSchema = z.object({ status: userStatusSchema });
