import type { ChatApp } from "@/lib/chat/app.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { RealmRecord } from "@/lib/chat/organizations/model.ts";
import { toVisibleMessage } from "../access.ts";
import { findMessages, type MessageQuery } from "./find_messages.ts";
import { readMessageFlags } from "../flags/store.ts";
import { messageKeys, type MessageRecord, type Viewer, type VisibleMessage } from "../model.ts";
import { type fetchMessagesParams, type MessageWindow, parseFetchScope } from "../narrow/api.ts";
import { requireWebPublicNarrow } from "../narrow/require_web_public_narrow.ts";
import { readNarrow } from "../narrow/read_narrow.ts";
import { cacheReads, prefetchRows } from "./cache_reads.ts";
import { toMessage } from "../api.ts";

/** Id beyond all message ids: the newest end. */
const NEWEST_ID = Number.MAX_SAFE_INTEGER;
/** Maximum number of messages scanned for the first unread one. */
const MAX_UNREAD_SCAN = 5000;
/** Maximum number of messages that a request of a spectator scans. */
const MAX_SPECTATOR_SCAN = 5000;

/** Messages around an anchor, ascending, and whether they reach the oldest and newest end. */
export interface FetchedWindow {
  readonly messages: readonly VisibleMessage[];
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/**
 * Returns the messages of a request that the viewer can see, ascending.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST; UNAUTHORIZED for spectators whose narrow is not
 * limited to web-public channels.
 */
export async function fetchMessages(
  uncachedApp: ChatApp,
  { realm, viewer }: { realm: RealmRecord; viewer: Viewer },
  params: ParamValues<typeof fetchMessagesParams>,
) {
  if (viewer === null) requireWebPublicNarrow(params.narrow);
  const app = cacheReads(uncachedApp);
  const permissions = await peekPermissionContext(app, realm);
  const scope = parseFetchScope(params);
  const terms = await readNarrow(app, permissions, { wire: params.narrow, viewer });
  const budget = viewer === null ? { left: MAX_SPECTATOR_SCAN } : undefined;
  const query = { user: viewer, terms, ...(budget === undefined ? {} : { budget }) };
  const { messages, ...found } = scope.kind === "ids"
    ? { messages: await listVisible(app, permissions, { ids: scope.ids, viewer }) }
    : await fetchWindow(app, permissions, { query, window: scope });
  const format = {
    isRendered: params.apply_markdown,
    allowsEmptyTopic: params.allow_empty_topic_name,
    drawsAvatars: params.client_gravatar,
  };
  const prefetched = await prefetchRows(app, {
    prefixes: [
      ...(viewer === null ? [] : [
        messageKeys.starred(realm.id, viewer.id),
        messageKeys.collapsed(realm.id, viewer.id),
      ]),
      [realm.id, "reactions"],
    ],
    ids: messages.map(({ message }) => message.id),
  });
  return {
    messages: await Promise.all(
      messages.map((visible) => toMessage(prefetched, permissions, { visible, viewer, format })),
    ),
    ...found,
    history_limited: isBudgetSpent(query),
  };
}

/** Returns those of the messages with the given ids that the viewer can see, ascending. */
async function listVisible(
  app: ChatApp,
  permissions: PermissionContext,
  { ids, viewer }: { ids: readonly number[]; viewer: Viewer },
): Promise<VisibleMessage[]> {
  const found = await Promise.all(
    ids.toSorted((one, other) => one - other).map(async (id) => {
      const message = await app.reads.read<MessageRecord>(messageKeys.message(permissions.realm.id, id));
      return message === null ? null : await toVisibleMessage(app, permissions, { message, user: viewer });
    }),
  );
  return found.filter((visible) => visible !== null);
}

/** Returns the messages of a window; each appears once, even when messages are sent concurrently. */
export async function fetchWindow(
  app: ChatApp,
  permissions: PermissionContext,
  { query, window }: { query: MessageQuery; window: MessageWindow },
): Promise<FetchedWindow> {
  const anchor = await findAnchor(app, permissions, { query, window });
  const { numBefore, numAfter, includesAnchor } = window;
  const before = await take(
    findMessages(app, permissions, { query, scan: { from: anchor - 1, isAscending: false } }),
    numBefore,
  );
  // Two more: one for the anchor itself, one to detect whether the newest end was reached.
  const from = await take(
    findMessages(app, permissions, { query, scan: { from: anchor, isAscending: true } }),
    numAfter + 2,
  );
  const hasAnchor = from.taken[0]?.message.id === anchor;
  const after = from.taken.slice(hasAnchor ? 1 : 0);
  return {
    messages: [
      ...before.taken.reverse(),
      ...from.taken.slice(0, hasAnchor && includesAnchor ? 1 : 0),
      ...after.slice(0, numAfter),
    ],
    anchor,
    found_anchor: hasAnchor,
    found_oldest: !isBudgetSpent(query) &&
      (anchor === 0 || before.taken.length < numBefore || before.isEnd),
    found_newest: !isBudgetSpent(query) && after.length <= numAfter,
  };
}

function isBudgetSpent({ budget }: MessageQuery): boolean {
  return budget !== undefined && budget.left < 0;
}

async function findAnchor(
  app: ChatApp,
  permissions: PermissionContext,
  { query, window }: { query: MessageQuery; window: MessageWindow },
): Promise<number> {
  if (typeof window.anchor === "number") return window.anchor;
  if (window.anchor === "oldest") return 0;
  // Everything counts as read for spectators.
  if (window.anchor === "newest" || query.user === null) return NEWEST_ID;
  let scanned = 0;
  for await (
    const visible of findMessages(app, permissions, { query, scan: { from: 0, isAscending: true } })
  ) {
    if (!(await readMessageFlags(app, permissions, { visible, user: query.user })).includes("read")) {
      return visible.message.id;
    }
    if (++scanned === MAX_UNREAD_SCAN) break;
  }
  return NEWEST_ID;
}

async function take<T>(items: AsyncGenerator<T>, count: number): Promise<{ taken: T[]; isEnd: boolean }> {
  const taken: T[] = [];
  for (; taken.length < count;) {
    const { done, value } = await items.next();
    if (done) return { taken, isEnd: true };
    taken.push(value);
  }
  await items.return(undefined);
  return { taken, isEnd: false };
}
