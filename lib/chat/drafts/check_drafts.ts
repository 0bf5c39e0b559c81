import { AppError } from "@/lib/core/errors.ts";
import { cleanText } from "@/lib/core/text.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "../app.ts";
import { getReadableChannel } from "../channels/store.ts";
import type { PermissionContext } from "../permissions/model/permission_context.ts";
import { peekPermissionContext } from "../permissions/store.ts";
import { parseTopic } from "../topics/model.ts";
import { resolveRecipients } from "../messages/recipient.ts";
import type { DraftInput } from "./api.ts";
import type { DraftOwner, DraftRecord } from "./model.ts";

/** A validated draft without its id. */
export type CheckedDraft = Omit<DraftRecord, "id">;

/** Maximum length of all texts together in UTF-16 units; records and events must fit into one commit. */
const MAX_UNITS = 150_000;

/**
 * Validates drafts and normalizes them for storage: the owner can read the channel, or the users exist.
 * @throws AppError BAD_REQUEST for the first invalid draft.
 */
export async function checkDrafts(
  app: ChatApp,
  { realm, user }: DraftOwner,
  inputs: readonly DraftInput[],
): Promise<CheckedDraft[]> {
  const units = inputs.reduce((sum, { content }) => sum + content.length, 0);
  if (units > MAX_UNITS) throw new AppError("BAD_REQUEST", "The drafts are too long for one request.");
  const permissions = await peekPermissionContext(app, realm);
  const checked: CheckedDraft[] = [];
  for (const draft of inputs) checked.push(await checkDraft(app, permissions, { user, draft }));
  return checked;
}

async function checkDraft(
  app: ChatApp,
  permissions: PermissionContext,
  { user, draft }: { user: DraftOwner["user"]; draft: DraftInput },
): Promise<CheckedDraft> {
  const { type, to } = draft;
  const content = cleanText(draft.content).trimEnd();
  if (content.trim() === "") throw new AppError("BAD_REQUEST", "Message must not be empty");
  const timestamp = Math.floor(draft.timestamp ?? permissions.now / 1000);
  if (timestamp < 0) throw new AppError("BAD_REQUEST", "Timestamp must not be negative.");
  if (type === "stream") await requireChannel(app, permissions, { user, to });
  if (type === "private") await resolveRecipients(app, { realm: permissions.realm, actingUser: user }, to);
  return { type, to, topic: type === "stream" ? parseTopic(draft.topic) : "", content, timestamp };
}

async function requireChannel(
  app: ChatApp,
  permissions: PermissionContext,
  { user, to }: { user: DraftOwner["user"]; to: readonly number[] },
): Promise<void> {
  const [channelId, ...others] = to;
  if (channelId === undefined || others.length > 0) {
    throw new AppError("BAD_REQUEST", "Must specify exactly 1 channel ID for channel messages");
  }
  const reads = { get: <T>(key: Key) => app.reads.read<T>(key) };
  await getReadableChannel(reads, permissions, { channelId, user });
}
