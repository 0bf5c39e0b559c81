import type { ChatApp } from "@/lib/chat/app.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/users/model.ts";
import { diffHtml } from "@/lib/chat/rendering/diff_html.ts";
import { AnswerBytes } from "@/lib/core/answer_bytes.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { getVisibleMessage } from "../access.ts";
import { toDisplayTopic } from "@/lib/chat/topics/model.ts";
import { readRenderedContent } from "../store.ts";
import { toMoveFields } from "./api.ts";
import type { EditRecord } from "./model.ts";
import { readEditHistory } from "./store.ts";

/** Maximum number of words and tags in which two versions are compared, and in all of one answer. */
const MAX_EDITS = { version: 400, answer: 2000 } as const;

/** A version of a message. */
interface MessageSnapshot {
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly content_html_diff?: string;
  readonly user_id: number;
  readonly timestamp: number;
}

/**
 * Reads all versions of a message, oldest first. Contents that the history dropped are empty, like those of
 * older versions beyond MAX_ANSWER_BYTES.
 * @throws AppError BAD_REQUEST for a message that the viewer cannot see.
 */
export async function readMessageHistory(
  app: ChatApp,
  { realm, viewer, id }: { realm: RealmRecord; viewer: UserRecord; id: number },
  { allow_empty_topic_name: allowsEmptyTopic }: { allow_empty_topic_name: boolean },
): Promise<{ message_history: readonly MessageSnapshot[] }> {
  const { message } = await getVisibleMessage(app, await peekPermissionContext(app, realm), {
    id,
    user: viewer,
  });
  const history = message.history_bytes === undefined ? [] : await readEditHistory(app, realm.id, id);
  let content = message.content;
  let rendered_content = await readRenderedContent(app, realm.id, message);
  let topic = message.topic;
  const snapshot = (user_id: number, at: number) => ({
    topic: message.channel_id === null ? "" : toDisplayTopic(topic, allowsEmptyTopic),
    content,
    rendered_content,
    user_id,
    timestamp: Math.floor(at / 1000),
  });
  const snapshots: MessageSnapshot[] = [];
  const bytes = new AnswerBytes();
  const work = { edits: MAX_EDITS.answer };
  for (const entry of history) {
    const { prev_content = "", prev_rendered_content = "", is_content_edited } = entry;
    const before = is_content_edited ? { prev_content, prev_rendered_content } : {};
    const version = {
      ...snapshot(entry.user_id, entry.at),
      ...before,
      ...await compareHtml(entry, rendered_content, work),
      ...toMoveFields(entry, allowsEmptyTopic),
    };
    await bytes.add(version);
    snapshots.push(bytes.isExceeded ? withoutContent(version) : version);
    if (is_content_edited) [content, rendered_content] = [prev_content, prev_rendered_content];
    topic = entry.prev_topic ?? topic;
  }
  snapshots.push(snapshot(message.sender_id, message.sent_at));
  return { message_history: snapshots.reverse() };
}

function withoutContent({ content_html_diff: _, ...version }: MessageSnapshot): MessageSnapshot {
  return { ...version, content: "", rendered_content: "" };
}

/** Returns the comparison of a version with the one before; none where the store dropped one of them. */
async function compareHtml(
  { prev_rendered_content: before }: EditRecord,
  after: string,
  work: { edits: number },
): Promise<{ content_html_diff?: string }> {
  if (before === undefined || after === "") return {};
  const { html, edits } = diffHtml(before, after, Math.min(MAX_EDITS.version, work.edits));
  work.edits -= edits;
  await yieldToEventLoop();
  return { content_html_diff: html };
}
