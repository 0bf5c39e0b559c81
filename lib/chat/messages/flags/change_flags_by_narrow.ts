import type { ChatApp } from "@/lib/chat/app.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import { createRowsReader } from "../read/store/rows_reader.ts";
import type { MessageReader } from "../model.ts";
import { parseFlagChange, toIgnoredChannels } from "./api.ts";
import { changeFlags } from "./change_flags.ts";
import { cacheReads } from "../read/cache_reads.ts";
import { fetchWindow, type WindowForm } from "../read/fetch_window.ts";
import { createFlagsReader } from "./store.ts";
import type { FlagChange } from "./model.ts";
import { type changeFlagsByNarrowParams, toMessageWindow } from "../narrow/api.ts";
import { readNarrow } from "../narrow/read_narrow.ts";

/**
 * Changes a flag of the messages that match a narrow around an anchor and returns the processed range.
 * Messages that were not sent to the user stay read.
 * @throws AppError BAD_REQUEST.
 */
export async function changeFlagsByNarrow(
  app: ChatApp,
  reader: MessageReader,
  params: ParamValues<typeof changeFlagsByNarrowParams>,
) {
  const change = parseFlagChange(params);
  const window = toMessageWindow(params);
  const permissions = await peekPermissionContext(app, reader.realm);
  const terms = await readNarrow(app, permissions, { wire: params.narrow, viewer: reader.user });
  const query = { user: reader.user, terms };
  const cached = cacheReads(app);
  const form = createForm(cached, permissions, { change, reader });
  const { messages, ...found } = await fetchWindow(cached, permissions, { query, window, form });
  const ids = messages.filter(({ needsChange }) => needsChange).map(({ id }) => id);
  const { changedCount, ignoredChannelIds } = await changeFlags(app, reader, { ids, change });
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

/** A message of a narrow. */
interface FlagTarget {
  readonly id: number;
  /** Whether the flag is to be added or removed. */
  readonly needsChange: boolean;
}

/** Creates the conversion of messages to what a change of flags needs of them. */
function createForm(
  app: ChatApp,
  permissions: PermissionContext,
  { change: { flag, op }, reader: { user } }: { change: FlagChange; reader: MessageReader },
): WindowForm<FlagTarget> {
  return {
    convert: async (messages) => {
      const readRows = createRowsReader(app.store, app.reads);
      const flags = await createFlagsReader(app, permissions, { user, readRows })(messages);
      return messages.map(({ message: { id }, isReceived }, at) => {
        if (flag === "read" && !isReceived) return { id, needsChange: false };
        return { id, needsChange: flags[at]?.includes(flag) !== (op === "add") };
      });
    },
    // The answer holds no messages.
    weigh: () => 0,
  };
}
