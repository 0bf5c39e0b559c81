import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ChatApp } from "../app.ts";
import { readChannelViewer } from "../channels/store.ts";
import { invalidChannel } from "../channels/model/access.ts";
import { requireCanSubscribe, subscribeUsers } from "../channels/subscriptions/subscribe_users.ts";
import {
  getTargetUsers,
  requireCanUnsubscribe,
  unsubscribeUsers,
} from "../channels/subscriptions/edit_subscriptions.ts";
import type { RealmRecord } from "../organizations/model.ts";
import { readPermissionContext } from "../permissions/store.ts";
import { applyMemberEdits } from "../user_groups/edit_members.ts";
import { addUserByAdmin } from "../users/create_user.ts";
import { deactivateAndAudit } from "../users/deactivate_user.ts";
import { requireCanManageUser, type UserRecord } from "../users/model.ts";
import { getUser } from "../users/store.ts";
import { changeUser } from "../users/update_user.ts";
import type { BulkChange, BulkItem, ImportedUser } from "./model.ts";

/** The transaction of a step, and the administrator as stored now. */
export interface StepContext {
  readonly app: ChatApp;
  readonly tx: Tx;
  readonly realm: RealmRecord;
  readonly actor: UserRecord;
}

/**
 * Applies a change to items, all or none; an item that already has the wanted state stays as it is. Returns the ids of
 * the users who were added to a group, who get a notice.
 * @throws AppError for the first item that is refused.
 */
export async function applyItems(
  context: StepContext,
  change: BulkChange,
  items: readonly BulkItem[],
): Promise<readonly number[]> {
  const ids = items.filter((item) => typeof item === "number");
  switch (change.kind) {
    case "set_role":
      for (const id of ids) await setRole(context, id, change.role);
      return [];
    case "deactivate":
      for (const id of ids) await deactivate(context, id);
      return [];
    case "add_to_group":
      return await addToGroup(context, change.group_id, ids);
    case "subscribe":
      await subscribeAll(context, change.channel_id, ids);
      return [];
    case "unsubscribe":
      await unsubscribeAll(context, change.channel_id, ids);
      return [];
    case "import":
      for (const item of items) if (typeof item !== "number") await createAccount(context, item);
      return [];
  }
}

async function setRole(
  { app, tx, realm, actor }: StepContext,
  id: number,
  role: UserRecord["role"],
): Promise<void> {
  const target = await getUser(tx, realm.id, id);
  const changes = { role, full_name: undefined, new_email: undefined };
  await changeUser({ app, tx, realm }, { actor, target }, changes);
}

async function deactivate({ app, tx, realm, actor }: StepContext, id: number): Promise<void> {
  const target = await getUser(tx, realm.id, id);
  requireCanManageUser(actor, target);
  if (target.id === actor.id) {
    throw new AppError("BAD_REQUEST", "You cannot deactivate your own account together with others.");
  }
  if (target.is_active) await deactivateAndAudit({ app, tx, realm }, { actor, target });
}

async function addToGroup(
  { app, tx, realm, actor }: StepContext,
  groupId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { groups } = await readPermissionContext(app, tx, realm.id);
  const members = new Set(groups.get(groupId)?.members);
  const add = ids.filter((id) => !members.has(id));
  if (add.length === 0) return [];
  const edits = { add, delete: [], add_subgroups: [], delete_subgroups: [] };
  await applyMemberEdits({ app, tx, realm, actingUser: actor }, { groupId, edits });
  return add;
}

async function subscribeAll(context: StepContext, channelId: number, ids: readonly number[]): Promise<void> {
  const { app, tx, realm, actor } = context;
  const { permissions, viewer } = await getChannel(context, channelId);
  const users = await getTargetUsers(tx, realm.id, ids);
  const channels = [{ name: viewer.channel.name, viewer, color: undefined }];
  requireCanSubscribe(permissions, { actingUser: actor, channels, users, isFatal: true });
  await subscribeUsers(app, tx, { permissions, channels, users });
}

async function unsubscribeAll(
  context: StepContext,
  channelId: number,
  ids: readonly number[],
): Promise<void> {
  const { app, tx, realm, actor } = context;
  const { permissions, viewer } = await getChannel(context, channelId);
  const users = await getTargetUsers(tx, realm.id, ids);
  const channels = { found: [{ sent: viewer.channel, viewer }], missing: [] };
  const left = requireCanUnsubscribe(permissions, { actingUser: actor, channels, users });
  await unsubscribeUsers(app, tx, { permissions, channels: left, users });
}

async function getChannel({ app, tx, realm, actor }: StepContext, channelId: number) {
  const permissions = await readPermissionContext(app, tx, realm.id);
  const viewer = await readChannelViewer(tx, { realmId: realm.id, channelId, user: actor });
  if (viewer === null) throw invalidChannel();
  return { permissions, viewer };
}

async function createAccount(
  { app, tx, realm, actor }: StepContext,
  [fullName, deliveryEmail, role]: ImportedUser,
): Promise<void> {
  // Users without a password choose one with the link that the sign-in page sends them.
  const user = { fullName, deliveryEmail, role, passwordHash: null };
  await addUserByAdmin({ app, tx, realm }, { actor, user });
}
