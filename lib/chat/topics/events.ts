import type { Tx } from "@/lib/store/transact.ts";
import { sendEvent } from "../events/send_events.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import { toUserTopic } from "./api.ts";
import type { UserTopicRecord } from "./model.ts";

/** Sends users the changed policy of a topic, which is the same for all of them. */
export function sendUserTopicEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  { userIds, record }: { userIds: readonly number[]; record: UserTopicRecord },
): void {
  if (userIds.length === 0) return;
  const event = { type: "user_topic", ...toUserTopic(record) };
  sendEvent(tx, { realmId: realm.id, now }, { event, audience: userIds });
}

/** Sends users the event of changed muted topics for older clients; delivery adds the list of each user. */
export function sendMutedTopicsEvent(
  tx: Tx,
  { realm, now }: PermissionContext,
  userIds: readonly number[],
): void {
  if (userIds.length === 0) return;
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "muted_topics" }, audience: userIds });
}
