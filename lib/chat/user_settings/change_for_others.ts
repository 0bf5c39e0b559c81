import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/note_change.ts";
import { sendEvent } from "../events/emit.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { sweepDrafts } from "../users/draft_box.ts";
import { requireAdmin } from "../users/rights.ts";
import type { UserRecord } from "../users/user.ts";
import { getActingUser } from "./caller.ts";
import { toSettingEvent } from "./events.ts";
import type { SettingsValues, TargetUsers } from "./params.ts";
import { changeRecord, requireImpersonal, requireMeaningful } from "./rules.ts";
import { getSettings, keepDraftBox, settingsKeys } from "./store.ts";
import { listSent, type SettingName } from "./table.ts";
import { listTargets } from "./targets.ts";

/** The people whose settings change in one commit: it may read 100 keys and write 800 KiB. */
export const MAX_PEOPLE_AT_ONCE = 80;

/** A change of other people's settings. */
interface OthersChange {
  readonly realm: RealmRecord;
  readonly actingUser: UserRecord;
  readonly targets: TargetUsers;
  readonly values: SettingsValues;
}

/**
 * Changes the settings of several people, for administrators: all or nothing for 80 of them. More are changed 80 at a
 * time, all checked before the first; a change that was cut short is finished by asking for it again.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function changeSettingsOfOthers(app: ChatApp, change: OthersChange): Promise<void> {
  const { realm, actingUser, targets, values } = change;
  if (targets.user_ids.length === 0 && targets.group_ids.length === 0) {
    throw new AppError("BAD_REQUEST", "Either user_ids or group_ids must be provided.");
  }
  requireAdmin(actingUser);
  requireImpersonal(values);
  requireMeaningful(values);
  const ids = await listTargets(app, realm, targets);
  for (let at = 0; at < ids.length; at += MAX_PEOPLE_AT_ONCE) {
    const some = ids.slice(at, at + MAX_PEOPLE_AT_ONCE);
    await transact(app.store, (tx) => changeSome(app, tx, { ...change, ids: some }));
    if (values.enable_drafts_synchronization !== false) continue;
    for (const id of some) await sweepDrafts(app, realm.id, id);
  }
}

async function changeSome(
  { clock }: ChatApp,
  tx: Tx,
  { realm, actingUser, targets, values, ids }: OthersChange & { readonly ids: readonly number[] },
): Promise<void> {
  requireAdmin(await getActingUser(tx, realm.id, actingUser));
  const records = await Promise.all(ids.map((id) => getSettings(tx, realm.id, id)));
  const told = new Map<SettingName, number[]>();
  for (const [at, id] of ids.entries()) {
    const current = records[at];
    if (current === undefined) continue;
    const manner = { isOwn: id === actingUser.id, sparesEdited: targets.skip_if_already_edited };
    const { record, changed } = changeRecord(current, values, manner);
    if (changed.length > 0) tx.set(settingsKeys.settings(realm.id, id), record);
    keepDraftBox(tx, { realmId: realm.id, userId: id }, changed);
    for (const { name } of changed) told.set(name, [...told.get(name) ?? [], id]);
  }
  recordAudit(tx, { realmId: realm.id, now: clock.now() }, {
    acting_user_id: actingUser.id,
    action: "user_settings_changed",
    target: { kind: "user", id: 0, name: "" },
    details: { people: String(ids.length), settings: listSent(values).map(([name]) => name).join(", ") },
  });
  for (const [name, value] of listSent(values)) {
    const audience = told.get(name);
    if (audience === undefined) continue;
    sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
      event: toSettingEvent({ name, value }),
      audience,
    });
  }
}
