import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { readMessage, requireSeen, type Viewer } from "./access.ts";
import type { fetchMessageParams } from "./fetch_params.ts";
import { toMessage } from "./view.ts";

/**
 * One message for somebody who may see it; that he looks at it does not mean that he has read it.
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
  const seen = await requireSeen(app, permissions, { message, user: viewer });
  const look = { isRendered: apply_markdown, knowsEmptyTopic: allow_empty_topic_name, drawsAvatars: true };
  return {
    raw_content: seen.message.content,
    message: await toMessage(app, permissions, { seen, viewer, look }),
  };
}
