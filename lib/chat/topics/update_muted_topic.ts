import { AppError } from "@/lib/core/errors.ts";
import type { ChatApp } from "../app.ts";
import { getChannelId } from "../channels/get_channel.ts";
import type { ParamValues } from "../params/param.ts";
import type { Caller } from "../users/model.ts";
import type { updateMutedTopicParams } from "./api.ts";
import { VISIBILITY } from "./model.ts";
import { setUserTopic } from "./set_user_topic.ts";

/**
 * Mutes or unmutes a topic for the caller, as older clients request it. Unmuting a topic that is not muted
 * changes nothing: its visibility policy stays.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST.
 */
export async function updateMutedTopic(
  app: ChatApp,
  caller: Caller,
  { stream, stream_id, topic, op }: ParamValues<typeof updateMutedTopicParams>,
): Promise<void> {
  if (stream !== undefined && stream_id !== undefined) {
    throw new AppError("BAD_REQUEST", "Unsupported parameter combination: stream_id, stream", {
      extra: { parameters: "stream_id, stream" },
    });
  }
  const channelId = stream === undefined ? stream_id : await getChannelId(app, caller, stream);
  if (channelId === undefined) {
    throw new AppError("REQUEST_VARIABLE_MISSING", "Missing 'stream_id' argument", {
      extra: { var_name: "stream_id" },
    });
  }
  const change = op === "add"
    ? { policy: VISIBILITY.muted }
    : { policy: VISIBILITY.none, replaces: VISIBILITY.muted };
  await setUserTopic(app, caller, { channelId, topic, ...change });
}
