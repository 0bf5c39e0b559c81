import { z } from "zod";
import {
  bool,
  described,
  exact,
  int,
  type ParamValues,
  text,
  withDefault,
} from "@/lib/chat/organization/params/param.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { createTopicWork } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import { ResponseBytes } from "@/lib/core/response_bytes.ts";

import { countTextBytes, JsonList } from "@/lib/core/json_pieces.ts";
import { yieldToEventLoop } from "@/lib/core/yield_to_event_loop.ts";
import { createMessagesConverter, messageSchema, type MessagesView, toMessage } from "../api.ts";
import { type fetchMessagesParams, LARGEST_ANCHOR, parseFetchScope } from "../narrow/api.ts";
import { createVisibilityReader, requireVisibleMessage, tooLarge } from "../access.ts";
import type { Viewer, VisibleMessage } from "../model.ts";
import { createHighlighter } from "../narrow/search_words.ts";
import { listSearches, requireWebPublicNarrow } from "../narrow/terms.ts";
import { readNarrow } from "../narrow/read_narrow.ts";
import { readMessage } from "../store.ts";
import { cacheReads, readMessages } from "./cached_reads.ts";
import { fetchWindow, type WindowForm } from "./fetch_window.ts";

export const fetchMessageParams = {
  apply_markdown: described(withDefault(bool(), true), "Whether content is HTML rather than Markdown."),
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Whether general chat is returned as an empty topic name.",
  ),
};

export const markChannelParams = { stream_id: described(int(), "Id of the channel.") };

export const markTopicParams = {
  ...markChannelParams,
  topic_name: described(exact(text()), "Name of the topic; empty for general chat."),
};

export const fetchedMessageSchema = z.object({
  raw_content: z.string().meta({ description: "Markdown source." }),
  message: messageSchema,
});

export const fetchedMessagesSchema = z.object({
  messages: z.array(messageSchema).meta({
    description: "Ascending. Fewer than requested where they would exceed 8 MiB; `found_oldest` and " +
      "`found_newest` are then false.",
  }),
  // Beyond the safe integers that z.int() accepts.
  anchor: z.number().optional().meta({
    type: "integer",
    description: `Message id that the window is counted from; ${LARGEST_ANCHOR} for the newest end.`,
  }),
  found_anchor: z.boolean().optional(),
  found_oldest: z.boolean().optional(),
  found_newest: z.boolean().optional(),
  history_limited: z.boolean().meta({
    description: "Whether the search ended before it found the requested number of messages.",
  }),
  oldest_searched_id: z.int().optional().meta({
    description: "Anchor from which to search on for older messages; only where the search was limited.",
  }),
  newest_searched_id: z.int().optional().meta({
    description: "Anchor from which to search on for newer messages; only where the search was limited.",
  }),
});

export const markAllReadSchema = z.object({
  complete: z.boolean().meta({ description: "Always true: all messages are marked in one write." }),
});

export const readersSchema = z.object({
  user_ids: z.array(z.int()).meta({ description: "Ascending." }),
});

/** The JSON text of a message as the API returns it. */
type MessageText = string;

/** Number of messages with given ids that are read and converted together. */
const PORTION = 50;
/** Length of the messages that are converted together, and of one whose HTML is stored in pieces. */
const GROUP_LENGTH = 250_000;
const LENGTH_IN_PIECES = 100_000;
/** Length that a message with submessages counts as. */
const LENGTH_WITH_SUBMESSAGES = 100_000;

/**
 * Returns the messages of a request that the viewer can see, ascending. A window is shorter than requested
 * where its messages would exceed MAX_RESPONSE_BYTES.
 * @throws AppError REQUEST_VARIABLE_MISSING or BAD_REQUEST, also when the messages of given ids exceed
 * MAX_RESPONSE_BYTES; UNAUTHORIZED for spectators whose narrow is not limited to web-public channels.
 */
export async function fetchMessages(
  uncachedApp: ChatApp,
  { realm, viewer }: { realm: RealmRecord; viewer: Viewer },
  params: ParamValues<typeof fetchMessagesParams>,
) {
  if (viewer === null) requireWebPublicNarrow(params.narrow);
  const app = cacheReads(uncachedApp);
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const scope = parseFetchScope(params);
  const terms = await readNarrow(app, permissions, { wire: params.narrow, viewer });
  const format = {
    isRendered: params.apply_markdown,
    allowsEmptyTopic: params.allow_empty_topic_name,
    drawsAvatars: params.client_gravatar,
  };
  const highlight = createHighlighter(listSearches(terms));
  const form = createForm(app, permissions, { viewer, format, topicWork: createTopicWork(), highlight });
  if (scope.kind === "window") {
    const window = await fetchWindow(app, permissions, {
      query: { user: viewer, terms },
      window: scope,
      form,
    });
    return { ...window, messages: new JsonList(window.messages) };
  }
  const messages = await listByIds(app, permissions, { ids: scope.ids, viewer, form });
  return { messages: new JsonList(messages), history_limited: false };
}

/** Creates the conversion of messages for the API. */
function createForm(
  app: ChatApp,
  permissions: PermissionContext,
  view: MessagesView,
): WindowForm<MessageText> {
  const convert = createMessagesConverter(app, permissions, view);
  return {
    convert: async (messages) => {
      const converted: MessageText[] = [];
      for (const group of groupByLength(messages)) {
        for (const each of await convert(group)) converted.push(JSON.stringify(each));
        if (converted.length < messages.length) await yieldToEventLoop();
      }
      return converted;
    },
    weigh: countTextBytes,
  };
}

/** Divides messages into groups of a limited length, as all of a group are in memory at once. */
function groupByLength(messages: readonly VisibleMessage[]): VisibleMessage[][] {
  const groups: VisibleMessage[][] = [];
  let room = 0;
  for (const visible of messages) {
    const { content, rendered, widget_type } = visible.message;
    const length = content.length + (rendered?.length ?? LENGTH_IN_PIECES) +
      (widget_type === undefined ? 0 : LENGTH_WITH_SUBMESSAGES);
    if (length > room) {
      groups.push([]);
      room = GROUP_LENGTH;
    }
    groups.at(-1)?.push(visible);
    room -= length;
  }
  return groups;
}

/** Returns those of the messages with the given ids that the viewer can see, ascending. */
async function listByIds(
  app: ChatApp,
  permissions: PermissionContext,
  { ids, viewer, form }: { ids: readonly number[]; viewer: Viewer; form: WindowForm<MessageText> },
): Promise<MessageText[]> {
  const ascending = ids.toSorted((one, other) => one - other);
  const listed: MessageText[] = [];
  const bytes = new ResponseBytes();
  const readVisible = createVisibilityReader(app, permissions, viewer);
  for (let at = 0; at < ascending.length; at += PORTION) {
    const found = await readMessages(app, permissions.realm.id, ascending.slice(at, at + PORTION));
    const visible = await readVisible(found.filter((message) => message !== null));
    for (const message of await form.convert(visible.filter((each) => each !== null))) {
      await bytes.addText(message);
      if (bytes.isExceeded) throw tooLarge();
      listed.push(message);
    }
  }
  return listed;
}

/**
 * Returns one message that the viewer can see; does not mark it as read.
 * @throws AppError BAD_REQUEST; UNAUTHORIZED for spectators.
 */
export async function fetchMessage(
  app: ChatApp,
  { realm, viewer, id }: { realm: RealmRecord; viewer: Viewer; id: number },
  { apply_markdown, allow_empty_topic_name }: ParamValues<typeof fetchMessageParams>,
) {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const message = await readMessage(app, realm.id, id);
  const visible = await requireVisibleMessage(app, permissions, { message, user: viewer });
  const format = { isRendered: apply_markdown, allowsEmptyTopic: allow_empty_topic_name, drawsAvatars: true };
  return {
    raw_content: visible.message.content,
    message: await toMessage(app, permissions, { visible, viewer, format, topicWork: createTopicWork() }),
  };
}
