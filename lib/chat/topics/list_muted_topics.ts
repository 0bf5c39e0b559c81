import type { ChatApp } from "../app.ts";
import { hasContentAccess } from "../channels/model/access.ts";
import { readChannelViewer } from "../channels/store.ts";
import type { PermissionContext } from "../permissions/model/membership.ts";
import type { UserRecord } from "../users/model.ts";
import { toMutedTopics } from "./api.ts";
import { toDisplayTopic, VISIBILITY } from "./model.ts";
import { listUserTopics } from "./store.ts";

/**
 * Lists a user's muted topics for older clients, oldest first, without those in channels that the user cannot
 * read: their names must not be revealed.
 */
export async function listMutedTopics(
  app: ChatApp,
  permissions: PermissionContext,
  { user, allowsEmptyTopic }: { user: UserRecord; allowsEmptyTopic: boolean },
): Promise<ReturnType<typeof toMutedTopics>> {
  const realmId = permissions.realm.id;
  const muted = (await listUserTopics(app, { realmId, userId: user.id }))
    .filter(({ visibility_policy }) => visibility_policy === VISIBILITY.muted)
    .map((topic) => ({ ...topic, topic_name: toDisplayTopic(topic.topic_name, allowsEmptyTopic) }));
  const viewers = await Promise.all(
    [...new Set(muted.map(({ channel_id }) => channel_id))]
      .map((channelId) => readChannelViewer({ get: app.reads.read }, { realmId, channelId, user })),
  );
  const readable = viewers.filter((viewer) => viewer !== null)
    .filter((viewer) => hasContentAccess(permissions, viewer));
  return toMutedTopics(muted, readable.map(({ channel }) => channel));
}
