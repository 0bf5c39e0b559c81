import type { Tx } from "@/lib/kv/transact.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import type { UserRecord } from "../users/user.ts";
import type { ChannelRecord } from "./channel.ts";

/** What is noted of a channel when it changes. */
const PLAIN = [
  "name",
  "description",
  "invite_only",
  "is_web_public",
  "history_public_to_subscribers",
  "message_retention_days",
  "folder_id",
  "topics_policy",
] as const;

/** What somebody did to a channel. */
export interface NotedChannel {
  readonly actor: Pick<UserRecord, "id">;
  readonly channel: Pick<ChannelRecord, "id" | "name">;
  readonly action: AuditAction;
  readonly details?: AuditDetails;
}

/** Notes in the audit log what somebody did to a channel. */
export function noteChannel(
  tx: Tx,
  { realm, now }: PermissionContext,
  { actor, channel: { id, name }, action, details = {} }: NotedChannel,
): void {
  recordAudit(tx, { realmId: realm.id, now }, {
    acting_user_id: actor.id,
    action,
    target: { kind: "channel", id, name },
    details,
  });
}

/** A channel before and after a change, whether it was and is a default, and who changed it. */
interface NotedUpdate {
  readonly actor: Pick<UserRecord, "id">;
  readonly before: ChannelRecord;
  readonly after: ChannelRecord;
  readonly wasDefault: boolean;
  readonly isDefault: boolean;
}

/** Notes what is other about a channel than before; nothing where all is the same. */
export function noteChannelUpdate(tx: Tx, permissions: PermissionContext, update: NotedUpdate): void {
  const { actor, before, after, wasDefault, isDefault } = update;
  const note = (action: AuditAction, details: AuditDetails = {}) =>
    noteChannel(tx, permissions, { actor, channel: after, action, details });
  if (before.is_archived && !after.is_archived) note("channel_unarchived");
  const settings = Object.keys({ ...before.permissions, ...after.permissions });
  const details = {
    ...differencesOf(before, after, PLAIN),
    ...differencesOf(before.permissions, after.permissions, settings),
  };
  if (Object.keys(details).length > 0) note("channel_changed", details);
  if (wasDefault !== isDefault) note(isDefault ? "default_channel_added" : "default_channel_removed");
}
