import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import type { RealmRecord } from "../realm/realm.ts";
import { look, type SeenMessage, type Viewer } from "./access.ts";
import { type Finding, findMessages } from "./find.ts";
import { readFlags } from "./flags.ts";
import { messageKeys, type MessageRecord } from "./message.ts";
import { type fetchMessagesParams, type MessageWindow, toFetchScope } from "./narrow_params.ts";
import { requireOpenNarrow } from "./open_narrow.ts";
import { readNarrow } from "./read_narrow.ts";
import { expectRows, rememberReads } from "./request_memory.ts";
import { toMessage } from "./view.ts";

/** Ids beyond those of messages: the newest end. */
const END = Number.MAX_SAFE_INTEGER;
/** How many messages are looked through for the first that is not read. */
const UNREAD_REACH = 5000;
/** How many messages one request looks at for somebody without an account. */
export const SPECTATOR_REACH = 5000;

/** Messages around an anchor, ascending, and whether they reach the ends. */
export interface Fetched {
  readonly messages: readonly SeenMessage[];
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

/**
 * Many messages for somebody who may see them, ascending.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST; UNAUTHORIZED for spectators who do not ask for channels that
 * are open to the web.
 */
export async function fetchMessages(
  anyApp: ChatApp,
  { realm, viewer }: { realm: RealmRecord; viewer: Viewer },
  params: ParamValues<typeof fetchMessagesParams>,
) {
  if (viewer === null) requireOpenNarrow(params.narrow);
  const app = rememberReads(anyApp);
  const permissions = await peekPermissionContext(app, realm);
  const scope = toFetchScope(params);
  const terms = await readNarrow(app, permissions, { wire: params.narrow, viewer });
  const reach = viewer === null ? { left: SPECTATOR_REACH } : undefined;
  const finding = { user: viewer, terms, ...(reach === undefined ? {} : { reach }) };
  const { messages, ...found } = scope.kind === "ids"
    ? { messages: await seenAmong(app, permissions, { ids: scope.ids, viewer }) }
    : await fetchWindow(app, permissions, { finding, window: scope });
  const shown = {
    isRendered: params.apply_markdown,
    knowsEmptyTopic: params.allow_empty_topic_name,
    drawsAvatars: params.client_gravatar,
  };
  const prepared = await expectRows(app, {
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
      messages.map((seen) => toMessage(prepared, permissions, { seen, viewer, look: shown })),
    ),
    ...found,
    history_limited: isCut(finding),
  };
}

/** Those of some messages that somebody may see, ascending. */
async function seenAmong(
  app: ChatApp,
  permissions: PermissionContext,
  { ids, viewer }: { ids: readonly number[]; viewer: Viewer },
): Promise<SeenMessage[]> {
  const found = await Promise.all(
    ids.toSorted((one, other) => one - other).map(async (id) => {
      const message = await app.reads.read<MessageRecord>(messageKeys.message(permissions.realm.id, id));
      return message === null ? null : await look(app, permissions, { message, user: viewer });
    }),
  );
  return found.filter((seen) => seen !== null);
}

/** The messages of a window; each comes once, however many are sent meanwhile. */
export async function fetchWindow(
  app: ChatApp,
  permissions: PermissionContext,
  { finding, window }: { finding: Finding; window: MessageWindow },
): Promise<Fetched> {
  const anchor = await anchorOf(app, permissions, { finding, window });
  const { numBefore, numAfter, includesAnchor } = window;
  const before = await take(
    findMessages(app, permissions, { finding, walk: { from: anchor - 1, isUp: false } }),
    numBefore,
  );
  // One more tells whether the anchor itself is there, and whether the newest was reached.
  const from = await take(
    findMessages(app, permissions, { finding, walk: { from: anchor, isUp: true } }),
    numAfter + 2,
  );
  const isThere = from.taken[0]?.message.id === anchor;
  const after = from.taken.slice(isThere ? 1 : 0);
  return {
    messages: [
      ...before.taken.reverse(),
      ...from.taken.slice(0, isThere && includesAnchor ? 1 : 0),
      ...after.slice(0, numAfter),
    ],
    anchor,
    found_anchor: isThere,
    found_oldest: !isCut(finding) && (anchor === 0 || before.taken.length < numBefore || before.isEnd),
    found_newest: !isCut(finding) && after.length <= numAfter,
  };
}

function isCut({ reach }: Finding): boolean {
  return reach !== undefined && reach.left < 0;
}

async function anchorOf(
  app: ChatApp,
  permissions: PermissionContext,
  { finding, window }: { finding: Finding; window: MessageWindow },
): Promise<number> {
  if (typeof window.anchor === "number") return window.anchor;
  if (window.anchor === "oldest") return 0;
  // Spectators have read everything.
  if (window.anchor === "newest" || finding.user === null) return END;
  let looked = 0;
  for await (const seen of findMessages(app, permissions, { finding, walk: { from: 0, isUp: true } })) {
    if (!(await readFlags(app, permissions, { seen, user: finding.user })).includes("read")) {
      return seen.message.id;
    }
    if (++looked === UNREAD_REACH) break;
  }
  return END;
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
