import { AppError } from "@/lib/core/errors.ts";
import type { SharedTx } from "@/lib/store/change_queue.ts";
import type { ChatApp } from "../app.ts";
import type { Audience } from "../events/model.ts";
import { sendEvent } from "../events/send_events.ts";
import { readSetting } from "../user_settings/store.ts";
import { readPresenceAudience, toPresenceEvent } from "./events.ts";
import { putPresence } from "./store.ts";
import {
  applyReport,
  isArrival,
  PRESENCE_STATUSES,
  presenceKeys,
  type PresenceRecord,
  type PresenceReport,
  type PresenceStatus,
  type PresenceViewer,
} from "./model.ts";

/**
 * Stores that a user is active or idle, and notifies other users of an arrival. Stores nothing shortly after
 * the last stored report, or when the user or the organization has turned presence off.
 * @throws AppError BAD_REQUEST for an unknown status.
 */
export async function reportPresence(
  app: ChatApp,
  reporter: PresenceViewer,
  status: string,
): Promise<void> {
  const report = { status: requireStatus(status), now: app.clock.now() };
  const { realm, user } = reporter;
  if (report.status === "active") app.activity.record(realm, user);
  if (realm.settings.presence_disabled) return;
  const before = await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  if (before !== null && applyReport(before, report) === before) return;
  const owner = { realmId: realm.id, userId: user.id };
  if (await readSetting(app, owner, "presence_enabled") === false) return;
  const audience = isArrival(before, report) ? await readPresenceAudience(app, reporter) : null;
  await app.presenceCommitter.submit((tx) => storeReport(app, tx, { ...reporter, report, audience }));
}

function requireStatus(text: string): PresenceStatus {
  const status = PRESENCE_STATUSES.find((known) => known === text);
  if (status === undefined) throw new AppError("BAD_REQUEST", `Invalid status: ${text}`);
  return status;
}

/** Update id of a user without presence. */
const NO_UPDATE = -1;

interface StoredReport extends PresenceViewer {
  readonly report: PresenceReport;
  /** The users who are notified of an arrival, or null for none. */
  readonly audience: Audience | null;
}

/** Stores a report and returns the update id of the user's presence. */
async function storeReport(
  app: ChatApp,
  tx: SharedTx,
  { realm, user, report, audience }: StoredReport,
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
