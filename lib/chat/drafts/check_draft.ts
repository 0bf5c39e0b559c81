import { AppError } from "@/lib/core/errors.ts";
import type { Key } from "@/lib/kv/key.ts";
import type { ChatApp } from "../app.ts";
import { accessChannel } from "../channels/access.ts";
import { readTopic } from "../messages/edit_topic.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import { readUser } from "../users/store.ts";
import type { DraftRecord, DraftWriter } from "./draft.ts";
import type { SentDraft } from "./params.ts";

/** A draft without its id. */
export type CheckedDraft = Omit<DraftRecord, "id">;

/** UTF-16 units of all texts together: a commit of the store holds no more of them, told and written. */
const MAX_UNITS = 150_000;

/**
 * Drafts as they are kept: to a channel that their writer may read, or to people that there are.
 * @throws AppError BAD_REQUEST for the first that cannot be.
 */
export async function checkDrafts(
  app: ChatApp,
  { realm, user }: DraftWriter,
  drafts: readonly SentDraft[],
): Promise<CheckedDraft[]> {
  const units = drafts.reduce((sum, { content }) => sum + content.length, 0);
  if (units > MAX_UNITS) throw new AppError("BAD_REQUEST", "These are too many long drafts for one request.");
  const permissions = await peekPermissionContext(app, realm);
  const checked: CheckedDraft[] = [];
  for (const draft of drafts) checked.push(await checkDraft(app, permissions, { user, draft }));
  return checked;
}

async function checkDraft(
  app: ChatApp,
  permissions: PermissionContext,
  { user, draft }: { user: DraftWriter["user"]; draft: SentDraft },
): Promise<CheckedDraft> {
  const { type, to } = draft;
  const content = draft.content.replaceAll("\0", "").trimEnd();
  if (content.trim() === "") throw new AppError("BAD_REQUEST", "Message must not be empty");
  const timestamp = draft.timestamp ?? Math.floor(permissions.now / 1000);
  if (timestamp < 0) throw new AppError("BAD_REQUEST", "Timestamp must not be negative.");
  if (type === "stream") await requireChannel(app, permissions, { user, to });
  if (type === "private") await requirePeople(app, permissions, to);
  return { type, to, topic: type === "stream" ? readTopic(draft.topic) : "", content, timestamp };
}

async function requireChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { user, to }: { user: DraftWriter["user"]; to: readonly number[] },
): Promise<void> {
  const [channelId, ...others] = to;
  if (channelId === undefined || others.length > 0) {
    throw new AppError("BAD_REQUEST", "Must specify exactly 1 channel ID for channel messages");
  }
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  await accessChannel(reads, permissions, { channelId, user });
}

async function requirePeople(
  app: ChatApp,
  { realm }: PermissionContext,
  ids: readonly number[],
): Promise<void> {
  for (const id of ids) {
    if (await readUser(app, realm.id, id) === null) {
      throw new AppError("BAD_REQUEST", `Invalid user ID ${id}`);
    }
  }
}
