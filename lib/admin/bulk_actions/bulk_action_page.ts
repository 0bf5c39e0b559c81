import {
  bulkActionKeys,
  type BulkActionRecord,
  type BulkChange,
  type BulkFailure,
  type BulkItem,
  CHUNK_ITEMS,
  type ImportedUser,
  readBulkAction,
  startBulkAction,
  stopBulkAction,
} from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { channelKeys, type ChannelRecord } from "@/lib/chat/channels/model/channel.ts";
import { createFirstSignInLinks, needsLink } from "@/lib/chat/auth/reset_password.ts";
import { canSeeEmail, foldEmail, isOwner, type UserRecord } from "@/lib/chat/users/model.ts";
import { listUsers, readUser } from "@/lib/chat/users/store.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { toCsvDownload } from "../csv.ts";

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
  /** Number of imported users without a password, for whom sign-in links can be made; 0 while it runs. */
  readonly needingLinks: number;
}

/** The page of a bulk action: its preview, its progress and its refused accounts. */
export const bulkActionPage: AdminPageSpec<BulkActionData> = {
  load: loadBulkAction,
  actions: {
    start: { run: start },
    stop: { run: stop },
    sign_in_links: { run: downloadSignInLinks },
  },
};

async function loadBulkAction(request: AdminRequest): Promise<BulkActionData | null> {
  const { chat, realm, user } = request;
  const action = await readBulkAction(chat, realm.id, pathId(request));
  if (action === null) return null;
  const [subject, actor, preview, needingLinks] = await Promise.all([
    nameSubject(request, action.change),
    readUser(chat, realm.id, action.acting_user_id),
    action.state === "draft" ? listFirstUsers(request, action.id) : [],
    listNeedingLinks(request, action),
  ]);
  const { id, state, total, done, failed, failures } = action;
  return {
    ...{ id, subject, state, total, done, failed, failures, preview },
    needingLinks: needingLinks.length,
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

/** Lists the users of an import that ended who have no password, and whom the caller may manage. */
async function listNeedingLinks(
  { chat, realm, user: viewer }: AdminRequest,
  { id, change, state, done }: BulkActionRecord,
): Promise<readonly UserRecord[]> {
  if (change.kind !== "import" || state === "draft" || state === "running") return [];
  const chunks = await Promise.all(
    Array.from(
      { length: Math.ceil(done / CHUNK_ITEMS) },
      (_, at) => chat.reads.read<readonly BulkItem[]>(bulkActionKeys.items(realm.id, id, at)),
    ),
  );
  const items = chunks.flatMap((chunk) => chunk ?? []).slice(0, done);
  const imported = new Set(items.flatMap((item) => typeof item === "number" ? [] : [foldEmail(item[1])]));
  return (await listUsers(chat, realm.id)).filter((user) =>
    imported.has(foldEmail(user.delivery_email)) && needsLink(user) && (isOwner(viewer) || !isOwner(user))
  );
}

/** Makes a sign-in link for each imported user without a password, and returns them as a CSV file. */
async function downloadSignInLinks(request: AdminRequest): Promise<Response> {
  const { chat, realm, user: viewer, caller, messages } = request;
  const id = pathId(request);
  const action = await readBulkAction(chat, realm.id, id);
  const users = action === null ? [] : await listNeedingLinks(request, action);
  if (users.length === 0) throw new FormRefusal({ form: messages.bulkActions.noLinksNeeded });
  const links = await createFirstSignInLinks(chat, caller, users.map((user) => user.id));
  const rows = links.map(({ user, url, expiresAt }) => [
    user.full_name,
    canSeeEmail(viewer, user) ? user.delivery_email : "",
    url,
    new Date(expiresAt).toISOString(),
  ]);
  return toCsvDownload({
    name: `sign-in-links-${id}.csv`,
    columns: ["name", "email", "link", "expires"],
    rows,
  });
}
