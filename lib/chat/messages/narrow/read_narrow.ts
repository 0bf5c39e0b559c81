import { type Caller, foldEmail, parsePlaceholderEmail } from "@/lib/chat/organization/users/model.ts";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { findVisibleChannel, readChannelAsSpectator, readChannelId } from "@/lib/chat/channels/store.ts";
import type { PermissionContext } from "@/lib/chat/organization/permissions/model/membership.ts";
import { findAccessibleUser } from "@/lib/chat/organization/users/store.ts";
import { tooLarge, toVisibleMessage } from "../access.ts";
import type { Viewer } from "../model.ts";
import { readMessage, readRenderedContent } from "../store.ts";
import {
  collectNames,
  type ConversationRef,
  listSearches,
  type NarrowTerm,
  parseNarrow,
  resolveNarrow,
  type WireTerm,
} from "./terms.ts";
import type { ParamValues } from "@/lib/chat/organization/params/param.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { ResponseBytes } from "@/lib/core/response_bytes.ts";
import { toMatchFields } from "../api.ts";
import { findAmongIds } from "../read/find_messages.ts";
import type { matchesNarrowParams } from "./api.ts";
import { createHighlighter } from "./search_words.ts";

/** @throws AppError BAD_REQUEST for an unknown operator, channel or user. */
export async function readNarrow(
  app: ChatApp,
  permissions: PermissionContext,
  { wire, viewer }: { wire: readonly WireTerm[]; viewer: Viewer },
): Promise<NarrowTerm[]> {
  const sent = parseNarrow(wire);
  const names = collectNames(sent);
  const channelIds = new Map<string, number>();
  for (const name of names.channelNames) {
    const id = await findChannelId(app, permissions, { name, viewer });
    if (id !== null) channelIds.set(name, id);
  }
  const { realm } = permissions;
  const userIds = new Map<string, number>();
  for (const email of names.emails) {
    // Spectators can use only placeholder addresses.
    const id = viewer === null
      ? parsePlaceholderEmail(app, realm, foldEmail(email))
      : (await findAccessibleUser(app, { realm, actingUser: viewer }, email))?.id;
    if (id !== undefined) userIds.set(email, id);
  }
  const conversation = names.withId === undefined
    ? undefined
    : await findConversation(app, permissions, { id: names.withId, viewer });
  return resolveNarrow(sent, { viewerId: viewer?.id ?? null, channelIds, userIds, conversation });
}

/** Finds a channel by name that the viewer may know; a hidden name is reported like an unknown one. */
async function findChannelId(
  app: ChatApp,
  permissions: PermissionContext,
  { name, viewer }: { name: string; viewer: Viewer },
): Promise<number | null> {
  const reads = { get: app.reads.read };
  if (viewer !== null) {
    return (await findVisibleChannel(reads, permissions, { name, user: viewer }))?.channel.id ?? null;
  }
  const id = await readChannelId(reads, permissions.realm.id, name);
  return id === null ? null : (await readChannelAsSpectator(app, permissions.realm, id))?.id ?? null;
}

async function findConversation(
  app: ChatApp,
  permissions: PermissionContext,
  { id, viewer }: { id: number; viewer: Viewer },
): Promise<ConversationRef | undefined> {
  const message = await readMessage(app, permissions.realm.id, id);
  const visible = message === null
    ? null
    : await toVisibleMessage(app, permissions, { message, user: viewer });
  if (message === null || visible === null) return undefined;
  if (visible.conversation !== null) return { participants: visible.conversation.user_ids };
  return message.channel_id === null ? undefined : { channelId: message.channel_id, topic: message.topic };
}

/** Content and topic of a matching message, as HTML. */
interface NarrowMatch {
  readonly match_content: string;
  readonly match_subject: string;
}

/** @throws AppError BAD_REQUEST for an invalid narrow, and for more than MAX_RESPONSE_BYTES of messages. */
export async function findMatches(
  app: ChatApp,
  { realm, actingUser: user }: Caller,
  { msg_ids, narrow }: ParamValues<typeof matchesNarrowParams>,
): Promise<Readonly<Record<string, NarrowMatch>>> {
  const permissions = permissionsOf(await app.readOrganization(realm.id), app.clock);
  const terms = await readNarrow(app, permissions, { wire: narrow, viewer: user });
  const highlight = createHighlighter(listSearches(terms));
  const matches: Record<string, NarrowMatch> = {};
  const bytes = new ResponseBytes();
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
