import { z } from "zod";
import type { ChangeContext, ChatApp } from "@/lib/chat/organization/app.ts";
import type { Audience, ChatEvent } from "@/lib/chat/organization/events/model.ts";
import { sendChangeEvent, sendEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import {
  bool,
  described,
  optional,
  type ParamValues,
  scalar,
  text,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import { canAccessUser } from "@/lib/chat/organization/permissions/model/membership.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { readSetting } from "@/lib/chat/people/user_settings/store.ts";
import { type Caller, toApiEmail, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import { AppError } from "@/lib/core/errors.ts";
import type { SharedTx } from "@/lib/store/change_queue.ts";
import { listPresences, putPresence } from "./list_presences.ts";
import { readUserList } from "@/lib/chat/organization/users/store.ts";
import {
  applyReport,
  isArrival,
  PRESENCE_STATUSES,
  presenceKeys,
  type PresenceRecord,
  type PresenceReport,
  toHiddenTimes,
  toPresence,
  toSlimPresence,
  type UserPresence,
} from "./model.ts";

export const historyDays = described(
  optional(scalar(z.int().min(0))),
  "The maximum age of the returned presence in days: 14 by default, 0 for none.",
);

export const reportPresenceParams = {
  status: described(text(), "`active` after recent activity, otherwise `idle`."),
  ping_only: described(withDefault(bool(), false), "Whether the response omits the presence of other users."),
  new_user_input: described(
    withDefault(bool(), false),
    "Whether there was activity since the last report; has no effect.",
  ),
  slim_presence: described(
    withDefault(bool(), false),
    "Whether the response identifies users by id rather than by email address.",
  ),
  last_update_id: described(
    optional(scalar(z.int().min(-1))),
    "The `presence_last_update_id` of the last response, or -1; only newer presence is returned, by user id.",
  ),
  history_limit_days: historyDays,
};

const seconds = z.int().meta({ description: "Seconds since 1970 UTC." });
const serverTime = z.number().meta({ description: "Seconds since 1970 UTC, with a fraction." });
const status = z.enum(["active", "idle"]);

const presenceSchema = z.object({
  aggregated: z.object({ client: z.string(), status, timestamp: seconds }),
  website: z.object({ client: z.string(), status, timestamp: seconds, pushable: z.boolean() }),
}).meta({ id: "Presence" });

const slimPresenceSchema = z.object({ active_timestamp: seconds, idle_timestamp: seconds })
  .meta({ id: "SlimPresence" });

/** Response of listing presence by email address. */
export const presencesSchema = z.object({
  presences: z.record(z.string(), presenceSchema),
  server_timestamp: serverTime,
});

/** Response of a report, with the update id from which the client can continue. */
export const changedPresencesSchema = z.object({
  presences: z.record(z.string(), z.union([presenceSchema, slimPresenceSchema])).meta({
    description: "By email address, or by user id if requested.",
  }),
  presence_last_update_id: z.int().meta({ description: "-1 before the first report." }),
  server_timestamp: serverTime,
});

const singleStatus = z.object({ status: z.enum(["active", "idle", "offline"]), timestamp: seconds });

export const singlePresenceSchema = z.object({
  presence: z.object({ aggregated: singleStatus, website: singleStatus }),
});

/** Active accounts up to which clients are notified at once; in larger organizations they poll. */
export const MAX_ACCOUNTS_NOTIFIED = 100;

/** Reads the audience of a user's arrival, or null when the organization has too many active accounts. */
async function readPresenceAudience(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
): Promise<Audience | null> {
  const { active } = await readUserList(app, realm.id);
  if (active.length > MAX_ACCOUNTS_NOTIFIED) return null;
  if (!app.config.canAccessAllUsersGroupLimitsPresence) return "everyone";
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  return active.filter((viewer) => canAccessUser(permissions, viewer, user)).map(({ id }) => id);
}

/** Returns a presence event with both formats; each client receives the one it registered for. */
function toPresenceEvent(
  app: Pick<ChatApp, "config">,
  { realm, presence, now }: { realm: RealmRecord; presence: UserPresence; now: number },
): ChatEvent {
  const { website } = toPresence(presence);
  return {
    type: "presence",
    email: toApiEmail(app, realm, presence.user),
    user_id: presence.user.id,
    server_timestamp: now / 1000,
    presence: { website },
    presences: { [presence.user.id]: toSlimPresence(presence) },
  };
}

/**
 * Applies a change of a user's setting `presence_enabled` in its transaction: from then on they are shown as active, or
 * as offline. Sends an event to all who can access them, however many these are.
 */
export async function switchPresence(
  context: ChangeContext,
  user: UserRecord,
  isEnabled: boolean,
): Promise<void> {
  const { app, tx, realm } = context;
  const before = await tx.get<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  const now = app.clock.now();
  const isActive = isEnabled && !realm.settings.presence_disabled;
  // A user without presence is not shown before and after.
  if (!isActive && before === null) return;
  const shown = { last_active: now, last_connected: now };
  const times = isActive || before === null ? shown : toHiddenTimes(before, now);
  const record = { user_id: user.id, ...times, update_id: await tx.nextId("presence") };
  putPresence(tx, realm.id, { before, record: isEnabled ? record : { ...record, is_hidden: true } });
  if (realm.settings.presence_disabled) return;
  sendChangeEvent(context, toPresenceEvent(app, { realm, presence: { user, times }, now }));
}

/**
 * Stores that a user is active or idle, and notifies other users of an arrival. Stores nothing shortly after
 * the last stored report, or when the user or the organization has turned presence off.
 * @throws AppError BAD_REQUEST for an unknown status.
 */
export async function reportPresence(app: ChatApp, reporter: Caller, sent: string): Promise<void> {
  const status = PRESENCE_STATUSES.find((known) => known === sent);
  if (status === undefined) throw new AppError("BAD_REQUEST", `Invalid status: ${sent}`);
  const report = { status, now: app.clock.now() };
  const { realm, actingUser: user } = reporter;
  if (report.status === "active") app.activity.record(realm, user);
  if (realm.settings.presence_disabled) return;
  const before = await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  if (before !== null && applyReport(before, report) === before) return;
  const owner = { realmId: realm.id, userId: user.id };
  if (await readSetting(app, owner, "presence_enabled") === false) return;
  const audience = isArrival(before, report) ? await readPresenceAudience(app, reporter) : null;
  await app.presenceCommitter.submit((tx) => storeReport(app, tx, { ...reporter, report, audience }));
}

const NO_UPDATE = -1;

/** Stores a report and returns the update id of the user's presence. */
async function storeReport(
  app: ChatApp,
  tx: SharedTx,
  { realm, actingUser: user, report, audience }: Caller & {
    report: PresenceReport;
    audience: Audience | null;
  },
): Promise<number> {
  const owner = { realmId: realm.id, userId: user.id };
  const before = await tx.get<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  // Presence may have been turned off since the setting was read; a first report reads the setting again.
  const isOff = before === null
    ? await readSetting({ reads: { read: (key) => tx.get(key) } }, owner, "presence_enabled") === false
    : before.is_hidden === true;
  if (isOff) return before?.update_id ?? NO_UPDATE;
  const times = applyReport(before, report);
  // A parallel report of the same user may have been stored first.
  if (before !== null && times === before) return before.update_id;
  const record = { user_id: user.id, ...times, update_id: await tx.takeId("presence") };
  putPresence(tx, realm.id, { before, record });
  if (audience !== null && isArrival(before, report)) {
    const event = toPresenceEvent(app, { realm, presence: { user, times }, now: report.now });
    sendEvent(tx, { realmId: realm.id, now: report.now }, { event, audience });
  }
  return record.update_id;
}

/** @throws AppError BAD_REQUEST for an unknown status. */
export async function exchangePresence(
  app: ChatApp,
  caller: Caller,
  { status, ping_only, slim_presence, last_update_id, history_limit_days }: ParamValues<
    typeof reportPresenceParams
  >,
): Promise<Partial<Awaited<ReturnType<typeof listPresences>>>> {
  await reportPresence(app, caller, status);
  if (ping_only) return {};
  const isSlim = slim_presence || last_update_id !== undefined;
  return await listPresences(app, caller, { isSlim, after: last_update_id, days: history_limit_days });
}
