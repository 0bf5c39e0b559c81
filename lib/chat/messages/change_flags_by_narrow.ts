import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import { peekPermissionContext, type PermissionContext } from "../permissions/group_world.ts";
import type { SeenMessage } from "./access.ts";
import { changeFlags } from "./change_flags.ts";
import { fetchWindow } from "./fetch_many.ts";
import { readFlags } from "./flags.ts";
import type { Reader } from "./mark_read.ts";
import { type FlagChange, readFlagChange } from "./message_flags.ts";
import { type changeFlagsByNarrowParams, toWindow } from "./narrow_params.ts";
import { readNarrow } from "./read_narrow.ts";

/**
 * Changes a flag of the messages of a narrow around an anchor, and tells how far that went. Those that were never sent
 * to the reader count as read, and stay so.
 * @throws AppError BAD_REQUEST.
 */
export async function changeFlagsByNarrow(
  app: ChatApp,
  reader: Reader,
  params: ParamValues<typeof changeFlagsByNarrowParams>,
) {
  const change = readFlagChange(params);
  const window = toWindow(params);
  const permissions = await peekPermissionContext(app, reader.realm);
  const terms = await readNarrow(app, permissions, { wire: params.narrow, viewer: reader.user });
  const finding = { user: reader.user, terms };
  const { messages, found_oldest, found_newest } = await fetchWindow(app, permissions, { finding, window });
  const ids = await idsToChange(app, permissions, { messages, change, reader });
  if (ids.length > 0) await changeFlags(app, reader, { ids, change });
  return {
    processed_count: messages.length,
    updated_count: ids.length,
    first_processed_id: messages[0]?.message.id ?? null,
    last_processed_id: messages.at(-1)?.message.id ?? null,
    found_oldest,
    found_newest,
  };
}

async function idsToChange(
  app: ChatApp,
  permissions: PermissionContext,
  { messages, change, reader }: {
    messages: readonly SeenMessage[];
    change: FlagChange;
    reader: Reader;
  },
): Promise<number[]> {
  const { flag, op } = change;
  const changed = await Promise.all(messages.map(async (seen) => {
    if (flag === "read" && !seen.isReceived) return [];
    const has = (await readFlags(app, permissions, { seen, user: reader.user })).includes(flag);
    return has === (op === "add") ? [] : [seen.message.id];
  }));
  return changed.flat();
}
