import { startBulkAction, stopBulkAction } from "@/lib/chat/bulk_actions/change_bulk_action.ts";
import {
  bulkActionKeys,
  type BulkActionRecord,
  type BulkChange,
  type BulkFailure,
  type BulkItem,
  type ImportedUser,
} from "@/lib/chat/bulk_actions/model.ts";
import { readBulkAction } from "@/lib/chat/bulk_actions/store.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { readUser } from "@/lib/chat/users/store.ts";
import type { AdminPageSpec, Done } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";

/** Data of a bulk action's page. */
export interface BulkActionData {
  readonly id: number;
  readonly kind: BulkChange["kind"];
  /** Role, group or channel of the change; null without one. */
  readonly subject: string | null;
  readonly actor: string;
  readonly isOwn: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly state: BulkActionRecord["state"];
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly failures: readonly BulkFailure[];
  /** The first accounts of an import that waits for its confirmation. */
  readonly preview: readonly ImportedUser[];
}

/** The page of a bulk action: its preview, its progress and its refused accounts. */
export const bulkActionPage: AdminPageSpec<BulkActionData> = {
  load: loadBulkAction,
  actions: { start: { run: start }, stop: { run: stop } },
};

async function loadBulkAction(request: AdminRequest): Promise<BulkActionData | null> {
  const { chat, realm, user } = request;
  const action = await readBulkAction(chat, realm.id, pathId(request));
  if (action === null) return null;
  const [subject, actor, preview] = await Promise.all([
    nameSubject(request, action.change),
    readUser(chat, realm.id, action.acting_user_id),
    action.state === "draft" ? listFirstUsers(request, action.id) : [],
  ]);
  const { id, state, total, done, failed, failures } = action;
  return {
    ...{ id, subject, state, total, done, failed, failures, preview },
    kind: action.change.kind,
    actor: actor?.full_name ?? "",
    isOwn: action.acting_user_id === user.id,
    createdAt: action.created_at,
  };
}

/** Returns the name of the role, group or channel of a change; null without one. */
export async function nameSubject(request: AdminRequest, change: BulkChange): Promise<string | null> {
  const { chat, realm, messages } = request;
  switch (change.kind) {
    case "set_role":
      return messages.shell.roles[change.role];
    case "add_to_group":
      return (await peekPermissionContext(chat, realm)).groups.get(change.group_id)?.name ?? null;
    case "subscribe":
    case "unsubscribe": {
      const key = channelKeys.channel(realm.id, change.channel_id);
      const channel = await chat.reads.read<ChannelRecord>(key);
      return channel === null ? null : `#${channel.name}`;
    }
    default:
      return null;
  }
}

async function listFirstUsers({ chat, realm }: AdminRequest, id: number): Promise<readonly ImportedUser[]> {
  const items = await chat.reads.read<readonly BulkItem[]>(bulkActionKeys.items(realm.id, id, 0)) ?? [];
  return items.slice(0, 20).filter((item) => typeof item !== "number");
}

async function start(request: AdminRequest): Promise<Done> {
  await startBulkAction(request.chat, request.caller, pathId(request));
  return { flash: request.messages.bulkActions.started };
}

async function stop(request: AdminRequest): Promise<Done> {
  await stopBulkAction(request.chat, request.caller, pathId(request));
  return { flash: request.messages.bulkActions.stopped };
}
