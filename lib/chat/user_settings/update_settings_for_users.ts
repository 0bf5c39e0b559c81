import { chunk } from "es-toolkit/array/chunk";
import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { recordAudit } from "../audit/store.ts";
import { deleteUnlistedDrafts } from "../drafts/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { sortedUnique } from "../permissions/model/group_setting.ts";
import { filterMembers } from "../permissions/model/membership.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { systemGroupName } from "../permissions/model/system_groups.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { isBot, requireAdmin, type UserRecord, USERS_READ_AT_ONCE } from "../users/model.ts";
import { getActingAdmin, listUsers, readUser } from "../users/store.ts";
import type { SettingsValues, TargetUsers } from "./api.ts";
import { toSettingEvent } from "./events.ts";
import {
  applySettings,
  listSentSettings,
  requireSharedSettings,
  requireValidSettings,
  type SettingName,
  settingsKeys,
} from "./model/settings.ts";
import { getSettingsRecord, updateDraftSync } from "./store.ts";

/** Maximum number of users changed in one commit, which can read 100 keys and write 800 KiB. */
export const MAX_USERS_PER_COMMIT = 80;

/** A change of other users' settings. */
interface UsersChange {
  readonly realm: RealmRecord;
  readonly actingUser: UserRecord;
  readonly targets: TargetUsers;
  readonly values: SettingsValues;
}

/**
 * Updates the settings of several users for an administrator. All users are validated first, then changed in
 * commits of 80. A repeated call completes an interrupted change.
 * @throws AppError BAD_REQUEST or UNAUTHORIZED_PRINCIPAL.
 */
export async function updateSettingsForUsers(app: ChatApp, change: UsersChange): Promise<void> {
  const { realm, actingUser, targets, values } = change;
  if (targets.user_ids.length === 0 && targets.group_ids.length === 0) {
    throw new AppError("BAD_REQUEST", "Either user_ids or group_ids must be provided.");
  }
  requireAdmin(actingUser);
  requireSharedSettings(values);
  requireValidSettings(values);
  const ids = await listTargets(app, realm, targets);
  for (const batch of chunk(ids, MAX_USERS_PER_COMMIT)) {
    await transact(app.store, (tx) => updateBatch(app, tx, { ...change, ids: batch }));
    if (values.enable_drafts_synchronization !== false) continue;
    for (const id of batch) await deleteUnlistedDrafts(app, realm.id, id);
  }
}

async function updateBatch(
  { clock }: ChatApp,
  tx: Tx,
  { realm, actingUser, targets, values, ids }: UsersChange & { readonly ids: readonly number[] },
): Promise<void> {
  await getActingAdmin(tx, { realm, actingUser });
  const records = await Promise.all(ids.map((id) => getSettingsRecord(tx, realm.id, id)));
  const audiences = new Map<SettingName, number[]>();
  for (const [index, id] of ids.entries()) {
    const current = records[index];
    if (current === undefined) continue;
    const options = { isOwn: id === actingUser.id, skipsEdited: targets.skip_if_already_edited };
    const { record, changed } = applySettings(current, values, options);
    if (changed.length > 0) tx.set(settingsKeys.settings(realm.id, id), record);
    updateDraftSync(tx, { realmId: realm.id, userId: id }, changed);
    for (const { name } of changed) audiences.set(name, [...audiences.get(name) ?? [], id]);
  }
  recordAudit(tx, { realmId: realm.id, now: clock.now() }, {
    acting_user_id: actingUser.id,
    action: "user_settings_changed",
    target: { kind: "user", id: 0, name: "" },
    details: {
      people: String(ids.length),
      settings: listSentSettings(values).map(([name]) => name).join(", "),
    },
  });
  for (const [name, value] of listSentSettings(values)) {
    const audience = audiences.get(name);
    if (audience === undefined) continue;
    sendEvent(tx, { realmId: realm.id, now: clock.now() }, {
      event: toSettingEvent({ name, value }),
      audience,
    });
  }
}

/**
 * Lists the ids of the target users in ascending order: the given users, deactivated ones included, and the
 * active members of the groups and of their subgroups. Bots in groups are skipped.
 * @throws AppError BAD_REQUEST for an unknown or deactivated group, an unknown user, and a bot given by id.
 */
async function listTargets(
  app: ChatApp,
  realm: RealmRecord,
  { user_ids, group_ids }: TargetUsers,
): Promise<readonly number[]> {
  const members = group_ids.length === 0 ? [] : await listMembers(app, realm, [...new Set(group_ids)]);
  // An invalid id is found before all others are read.
  for (const ids of chunk([...new Set(user_ids)], USERS_READ_AT_ONCE)) {
    const users = await Promise.all(ids.map((id) => readUser(app, realm.id, id)));
    const at = users.findIndex((user) => user === null || isBot(user));
    if (at >= 0) throw new AppError("BAD_REQUEST", `Invalid user ID: ${ids[at]}`);
  }
  return sortedUnique([...user_ids, ...members]);
}

async function listMembers(
  app: ChatApp,
  realm: RealmRecord,
  groupIds: readonly number[],
): Promise<readonly number[]> {
  const permissions = await peekPermissionContext(app, realm);
  for (const id of groupIds) requireActiveGroup(permissions, id);
  const users = (await listUsers(app, realm.id)).filter((user) => user.is_active && !isBot(user));
  return groupIds.flatMap((id) => filterMembers(permissions, id, users).map((user) => user.id));
}

function requireActiveGroup({ realm, groups }: PermissionContext, id: number): void {
  if (systemGroupName(realm, id) !== null) return;
  const group = groups.get(id);
  if (group === undefined) throw new AppError("BAD_REQUEST", `Invalid user group ID: ${id}`);
  if (group.deactivated) throw new AppError("BAD_REQUEST", "User group is deactivated.");
}
