import type { ChatApp } from "@/lib/chat/app.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { createTopicWork } from "@/lib/chat/linkifiers/model/find_links.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { requireVisibleMessage } from "../access.ts";
import type { Viewer } from "../model.ts";
import { readMessage } from "../store.ts";
import type { fetchMessageParams } from "./api.ts";
import { toMessage } from "../api.ts";

/**
 * Returns one message that the viewer can see; does not mark it as read.
 * @throws AppError BAD_REQUEST; UNAUTHORIZED for spectators.
 */
export async function fetchMessage(
  app: ChatApp,
  { realm, viewer, id }: { realm: RealmRecord; viewer: Viewer; id: number },
  { apply_markdown, allow_empty_topic_name }: ParamValues<typeof fetchMessageParams>,
) {
  const [permissions, message] = await Promise.all([
    peekPermissionContext(app, realm),
    readMessage(app, realm.id, id),
  ]);
  const visible = await requireVisibleMessage(app, permissions, { message, user: viewer });
  const format = { isRendered: apply_markdown, allowsEmptyTopic: allow_empty_topic_name, drawsAvatars: true };
  return {
    raw_content: visible.message.content,
    message: await toMessage(app, permissions, { visible, viewer, format, topicWork: createTopicWork() }),
  };
}
