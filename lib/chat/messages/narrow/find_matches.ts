import type { ChatApp } from "@/lib/chat/app.ts";
import type { ParamValues } from "@/lib/chat/params/param.ts";
import { peekPermissionContext } from "@/lib/chat/permissions/store.ts";
import { AnswerBytes } from "@/lib/core/answer_bytes.ts";
import { tooLarge } from "../access.ts";
import { toMatchFields } from "../api.ts";
import type { MessageReader } from "../model.ts";
import { findAmongIds } from "../read/find_messages.ts";
import { readRenderedContent } from "../store.ts";
import type { matchesNarrowParams } from "./api.ts";
import { createHighlighter } from "./model/highlight.ts";
import { listSearches } from "./model/narrow.ts";
import { readNarrow } from "./read_narrow.ts";

/** Content and topic of a matching message, as HTML. */
export interface NarrowMatch {
  readonly match_content: string;
  readonly match_subject: string;
}

/**
 * Returns those of the given messages that match a narrow and that the user can see, by id.
 * @throws AppError BAD_REQUEST for an invalid narrow, and for more than MAX_ANSWER_BYTES of messages.
 */
export async function findMatches(
  app: ChatApp,
  { realm, user }: MessageReader,
  { msg_ids, narrow }: ParamValues<typeof matchesNarrowParams>,
): Promise<Readonly<Record<string, NarrowMatch>>> {
  const permissions = await peekPermissionContext(app, realm);
  const terms = await readNarrow(app, permissions, { wire: narrow, viewer: user });
  const highlight = createHighlighter(listSearches(terms));
  const matches: Record<string, NarrowMatch> = {};
  const bytes = new AnswerBytes();
  for await (
    const visible of findAmongIds(app, permissions, {
      ids: [...new Set(msg_ids)],
      query: { user, terms },
    })
  ) {
    const { message } = visible;
    const match = toMatchFields(visible, {
      html: await readRenderedContent(app, realm.id, message),
      highlight,
    });
    await bytes.add(match);
    if (bytes.isExceeded) throw tooLarge();
    matches[message.id] = match;
  }
  return matches;
}
