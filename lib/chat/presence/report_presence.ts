import { AppError } from "@/lib/core/errors.ts";
import type { JointTx } from "@/lib/kv/joint_commit.ts";
import type { ChatApp } from "../app.ts";
import { type Audience, sendEvent } from "../events/emit.ts";
import { readUserSettings } from "../user_settings/store.ts";
import type { PresenceViewer } from "./list_presences.ts";
import { presenceKeys, type PresenceRecord } from "./presence.ts";
import { comesBack, type PresenceStatus, type Report, STATUSES, withReport } from "./rules.ts";
import { audienceOf, presenceEvent } from "./tell_of_presence.ts";

/**
 * Keeps that somebody is there, unless he or the organization wants that nobody is told, and tells others when he comes
 * back. Reports that come shortly after a stored one write nothing.
 * @throws AppError BAD_REQUEST for a status that there is not.
 */
export async function reportPresence(app: ChatApp, reporter: PresenceViewer, sent: string): Promise<void> {
  const report = { status: requireStatus(sent), now: app.clock.now() };
  const { realm, user } = reporter;
  if (realm.settings.presence_disabled) return;
  const before = await app.reads.read<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  if (before !== null && withReport(before, report) === before) return;
  const { presence_enabled: isShown } = await readUserSettings(app, realm.id, user);
  if (isShown === false) return;
  const audience = comesBack(before, report) ? await audienceOf(app, reporter) : null;
  await app.presences.run((tx) => keep(app, tx, { ...reporter, report, audience }));
}

function requireStatus(sent: string): PresenceStatus {
  const status = STATUSES.find((one) => one === sent);
  if (status === undefined) throw new AppError("BAD_REQUEST", `Invalid status: ${sent}`);
  return status;
}

interface Kept extends PresenceViewer {
  readonly report: Report;
  /** Null: nobody is told. */
  readonly audience: Audience | null;
}

async function keep(app: ChatApp, tx: JointTx, { realm, user, report, audience }: Kept): Promise<number> {
  const before = await tx.get<PresenceRecord>(presenceKeys.presence(realm.id, user.id));
  const times = withReport(before, report);
  // Another report of the same person may have come first.
  if (before !== null && times === before) return before.update_id;
  const record = { user_id: user.id, ...times, update_id: tx.takeId() };
  tx.set(presenceKeys.presence(realm.id, user.id), record);
  if (before !== null) tx.delete(presenceKeys.update(realm.id, before.update_id));
  tx.set(presenceKeys.update(realm.id, record.update_id), user.id);
  if (audience !== null && comesBack(before, report)) {
    const event = presenceEvent(app, { realm, seen: { user, times }, now: report.now });
    sendEvent(tx, { realmId: realm.id, now: report.now }, { event, audience });
  }
  return record.update_id;
}
