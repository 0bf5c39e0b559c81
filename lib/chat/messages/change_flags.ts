import type { Caller, UserRecord } from "@/lib/chat/organization/users/model.ts";
import { sendEvent } from "../organization/events/send_events.ts";
import { chunk } from "es-toolkit/array/chunk";
import { transact } from "@/lib/store/transact.ts";
import { createRowsReader } from "./rows_reader.ts";
import type { ChatApp } from "../organization/app.ts";
import { listSubscribedChannelIds } from "../channels/subscriptions/store.ts";
import { permissionsOf } from "../organization/permissions/store.ts";
import type { ParamValues } from "../organization/params/param.ts";
import type { PermissionContext } from "../organization/permissions/model/membership.ts";
import { getVisibleMessage } from "./access.ts";
import { messageKeys } from "./model.ts";
import {
  createFlagsReader,
  type FlagChange,
  isUnreading,
  parseFlagChange,
  toIgnoredChannels,
} from "./flags.ts";
import { enqueueReadRetraction } from "./push_jobs.ts";
import { type ReadTarget, toReadTarget, writeReadMarks } from "./read_marks.ts";
import { cacheReads } from "./read/cached_reads.ts";
import { fetchWindow, type WindowForm } from "./read/fetch_window.ts";
import { type changeFlagsByNarrowParams, toMessageWindow } from "./narrow/api.ts";
import { readNarrow } from "./narrow/read_narrow.ts";

const MESSAGES_PER_COMMIT = 400;
/** Number of messages that are read concurrently. */
const PORTION = 100;

/**
 * Adds or removes a flag of messages. One inaccessible message rejects the whole request. Large requests take
 * several commits; repeating the request completes an interrupted one. Messages that were not sent to the
 * user stay read, and so do those of channels to which the user is not subscribed.
 * @throws AppError BAD_REQUEST.
 */
export async function changeFlags(
  app: ChatApp,
  caller: Caller,
  { ids, change }: { ids: readonly number[]; change: FlagChange },
) {
  const visible = await getTargets(app, caller, [...new Set(ids)]);
  const subscribed = isUnreading(change)
    ? await listSubscribedChannelIds(app, caller.realm.id, caller.actingUser.id)
    : null;
  const isIgnored = ({ channel_id }: ReadTarget) =>
    subscribed !== null && channel_id !== null && !subscribed.has(channel_id);
  const targets = visible.filter((target) => subscribed === null || target.isReceived && !isIgnored(target));
  for (const messages of chunk(targets, MESSAGES_PER_COMMIT)) {
    await changeBatch(app, caller, { messages, change });
  }
  const ignored = new Set(visible.filter(isIgnored).map(({ channel_id }) => channel_id ?? 0));
  return {
    changedCount: targets.length,
    /** Channels whose messages stay read because the user is not subscribed to them, ascending. */
    ignoredChannelIds: [...ignored].sort((a, b) => a - b),
  };
}

/** A message whose flag is changed, and whether it was sent to the user. */
interface FlagTarget extends ReadTarget {
  readonly isReceived: boolean;
}

/** Returns what the change needs of the messages, in portions, as messages can be large. */
async function getTargets(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  ids: readonly number[],
): Promise<FlagTarget[]> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const targets: FlagTarget[] = [];
  for (let at = 0; at < ids.length; at += PORTION) {
    const visible = await Promise.all(
      ids.slice(at, at + PORTION).map((id) => getVisibleMessage(app, permissions, { id, user })),
    );
    targets.push(...visible.map(({ message, isReceived }) => ({ ...toReadTarget(message), isReceived })));
  }
  return targets;
}

async function changeBatch(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  { messages, change }: { messages: readonly ReadTarget[]; change: FlagChange },
): Promise<void> {
  const { flag, op } = change;
  await transact(app.store, async (tx) => {
    if (flag === "read") {
      await writeReadMarks(tx, { realmId: realm.id, userId: user.id }, { messages, isRead: op === "add" });
      if (op === "add") enqueueReadRetraction(tx, { realmId: realm.id, user, now: app.clock.now() });
    } else {
      const prefix = flag === "starred"
        ? messageKeys.starred(realm.id, user.id)
        : messageKeys.collapsed(realm.id, user.id);
      for (const { id } of messages) {
        if (op === "add") tx.set([...prefix, id], true);
        else tx.delete([...prefix, id]);
      }
    }
    sendEvent(tx, { realmId: realm.id, now: app.clock.now() }, {
      event: { type: "update_message_flags", op, flag, messages: messages.map(({ id }) => id), all: false },
      audience: [user.id],
    });
  }, `flags ${realm.id} ${user.id}`);
}

/**
 * Changes a flag of the messages that match a narrow around an anchor and returns the processed range.
 * Messages that were not sent to the user stay read.
 * @throws AppError BAD_REQUEST.
 */
export async function changeFlagsByNarrow(
  app: ChatApp,
  caller: Caller,
  params: ParamValues<typeof changeFlagsByNarrowParams>,
) {
  const change = parseFlagChange(params);
  const window = toMessageWindow(params);
  const permissions = permissionsOf(await app.readOrganization(caller.realm.id), app.clock);
  const { actingUser: user } = caller;
  const terms = await readNarrow(app, permissions, { wire: params.narrow, viewer: user });
  const query = { user, terms };
  const cached = cacheReads(app);
  const form = createForm(cached, permissions, { change, user });
  const { messages, ...found } = await fetchWindow(cached, permissions, { query, window, form });
  const ids = messages.filter(({ needsChange }) => needsChange).map(({ id }) => id);
  const { changedCount, ignoredChannelIds } = await changeFlags(app, caller, { ids, change });
  const { found_oldest, found_newest, oldest_searched_id, newest_searched_id } = found;
  return {
    processed_count: messages.length,
    updated_count: changedCount,
    // Where the search was limited, clients continue after the messages that it examined.
    first_processed_id: oldest_searched_id ?? messages[0]?.id ?? null,
    last_processed_id: newest_searched_id ?? messages.at(-1)?.id ?? null,
    found_oldest,
    found_newest,
    ...toIgnoredChannels(change, ignoredChannelIds),
  };
}

/** Creates the conversion of messages to what a change of flags needs of them: whether it is to be made. */
function createForm(
  app: ChatApp,
  permissions: PermissionContext,
  { change: { flag, op }, user }: { change: FlagChange; user: UserRecord },
): WindowForm<{ readonly id: number; readonly needsChange: boolean }> {
  return {
    convert: async (messages) => {
      const readRows = createRowsReader(app.store, app.reads);
      const flags = await createFlagsReader(app, permissions, { user, readRows })(messages);
      return messages.map(({ message: { id }, isReceived }, at) => {
        if (flag === "read" && !isReceived) return { id, needsChange: false };
        return { id, needsChange: flags[at]?.includes(flag) !== (op === "add") };
      });
    },
    // The response contains no messages.
    weigh: () => 0,
  };
}
