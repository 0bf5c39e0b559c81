import type { ChatApp } from "@/lib/chat/app.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/permissions/model/permission_context.ts";
import type { MessageReader, VisibleMessage } from "../model.ts";
import { parseFlagChange } from "./api.ts";
import { changeFlags } from "./change_flags.ts";
import { fetchWindow } from "../read/fetch_messages.ts";
import { readMessageFlags } from "./store.ts";
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
  const { messages, found_oldest, found_newest } = await fetchWindow(app, permissions, { query, window });
  const ids = await listIdsToChange(app, permissions, { messages, change, reader });
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

async function listIdsToChange(
  app: ChatApp,
  permissions: PermissionContext,
  { messages, change, reader }: {
    messages: readonly VisibleMessage[];
    change: FlagChange;
    reader: MessageReader;
  },
): Promise<number[]> {
  const { flag, op } = change;
  const changed = await Promise.all(messages.map(async (visible) => {
    if (flag === "read" && !visible.isReceived) return [];
    const has = (await readMessageFlags(app, permissions, { visible, user: reader.user })).includes(
      flag,
    );
    return has === (op === "add") ? [] : [visible.message.id];
  }));
  return changed.flat();
}
