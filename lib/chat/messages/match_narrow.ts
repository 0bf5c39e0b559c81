import type { ChatApp } from "../app.ts";
import type { ParamValues } from "../params/param.ts";
import { peekPermissionContext } from "../permissions/group_world.ts";
import { escapeMarkup } from "../rendering/markup.ts";
import { showTopic } from "./edit_topic.ts";
import { findAmong } from "./find.ts";
import type { Reader } from "./mark_read.ts";
import type { matchNarrowParams } from "./narrow_params.ts";
import { readNarrow } from "./read_narrow.ts";
import { readRendered } from "./view.ts";

/** A message that matches: its content and topic as HTML. */
export interface Match {
  readonly match_content: string;
  readonly match_subject: string;
}

/**
 * Those of some messages that a narrow gives to the reader, by their ids; what he may not see is never among them.
 * @throws AppError BAD_REQUEST for a narrow that cannot be read.
 */
export async function matchNarrow(
  app: ChatApp,
  { realm, user }: Reader,
  { msg_ids, narrow }: ParamValues<typeof matchNarrowParams>,
): Promise<Readonly<Record<string, Match>>> {
  const permissions = await peekPermissionContext(app, realm);
  const terms = await readNarrow(app, permissions, { wire: narrow, viewer: user });
  const matches: Record<string, Match> = {};
  for await (
    const { message } of findAmong(app, permissions, { ids: [...new Set(msg_ids)], finding: { user, terms } })
  ) {
    matches[message.id] = {
      match_content: await readRendered(app, realm.id, message),
      match_subject: message.channel_id === null ? "" : escapeMarkup(showTopic(message.topic, false)),
    };
  }
  return matches;
}
