import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import { insufficientPermission } from "../permissions/insufficient.ts";
import type { PermissionContext } from "../permissions/group_world.ts";
import { mayInRealm } from "../permissions/membership.ts";
import type { UserRecord } from "../users/user.ts";
import { channelKeys, EMPTY_TOPIC_NAME, type TopicsPolicy } from "./channel.ts";

/**
 * Lets those through who may choose a channel's policy; the organization's own is everybody's to choose.
 * @throws AppError BAD_REQUEST.
 */
export function requireMaySetTopicsPolicy(
  permissions: PermissionContext,
  user: UserRecord,
  policy: TopicsPolicy,
): void {
  if (policy === "inherit" || mayInRealm(permissions, "can_set_topics_policy_group", user)) return;
  throw insufficientPermission();
}

/**
 * Refuses the policy of the empty topic alone while a channel has messages in others; a message that comes into one
 * meanwhile makes the transaction run again.
 * @throws AppError BAD_REQUEST.
 */
export async function requireTopicsFit(
  tx: Tx,
  { realmId, channelId, policy }: { realmId: number; channelId: number; policy: TopicsPolicy },
): Promise<void> {
  if (policy !== "empty_topic_only") return;
  const named = await tx.get<Deno.KvU64>(channelKeys.namedTopicCount(realmId, channelId));
  if (named === null || named.value === 0n) return;
  throw new AppError(
    "BAD_REQUEST",
    `To enable this configuration, all messages in this channel must be in the ${EMPTY_TOPIC_NAME} ` +
      "topic. Consider renaming or deleting other topics.",
    { extra: { empty_topic_display_name: EMPTY_TOPIC_NAME } },
  );
}
