import sanitizeHtml from "sanitize-html";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import type { VisibleMessage } from "@/lib/chat/messages/model.ts";
import { readRenderedContent } from "@/lib/chat/messages/store.ts";
import { type RealmRecord, realmUrl } from "@/lib/chat/organization/organizations/model.ts";
import { toAvatarUrl } from "@/lib/chat/people/users/api.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import type { NotificationReason } from "./model.ts";

/** Maximum length of a message's text in a notification, in code points. */
const MAX_CONTENT = 200;
/** Maximum bytes of a payload before encryption: providers accept 4,096 in Base64 with overhead. */
const MAX_PAYLOAD_BYTES = 2800;

/** Content of a notification, which the device decrypts as JSON. */
type Payload = Readonly<Record<string, unknown>>;

export function toCommonPayload(
  app: Pick<ChatApp, "config">,
  { realm, user, type, at }: {
    realm: RealmRecord;
    user: UserRecord;
    type: "message" | "remove" | "test";
    at: number;
  },
): Payload {
  return {
    type,
    realm_url: realmUrl(app, realm),
    realm_name: realm.name,
    user_id: user.id,
    time: Math.floor(at / 1000),
  };
}

/** Returns the JSON of a notification in at most MAX_PAYLOAD_BYTES; null if the sender is gone. */
export async function readMessagePayload(
  app: ChatApp,
  realm: RealmRecord,
  { visible, user, reason }: { visible: VisibleMessage; user: UserRecord; reason: NotificationReason },
): Promise<string | null> {
  const { message } = visible;
  const [sender, html] = await Promise.all([
    readUser(app, realm.id, message.sender_id),
    readRenderedContent(app, realm.id, message),
  ]);
  if (sender === null) return null;
  return fitContent({
    ...toCommonPayload(app, { realm, user, type: "message", at: message.sent_at }),
    message_id: message.id,
    trigger: reason,
    sender_id: sender.id,
    sender_full_name: sender.full_name,
    sender_avatar_url: toAvatarUrl(sender, { app, realm, viewer: user }),
    ...toRecipientFields(visible),
  }, toPlainText(html));
}

/** Maximum ids of one retraction, and bytes of these; the other fields need the rest. */
const MAX_REMOVED = 200;
const MAX_REMOVED_BYTES = 2000;

/** Splits ids of messages into chunks that each fit into one retraction. */
export function chunkRemovedIds(ids: readonly number[]): readonly (readonly number[])[] {
  const chunks: number[][] = [];
  let [last, bytes] = [new Array<number>(), 0];
  for (const id of ids) {
    bytes += String(id).length + 1;
    if (last.length === 0 || last.length === MAX_REMOVED || bytes > MAX_REMOVED_BYTES) {
      [last, bytes] = [[], String(id).length + 1];
      chunks.push(last);
    }
    last.push(id);
  }
  return chunks;
}

export function toRemovalPayload(
  app: Pick<ChatApp, "config">,
  { realm, user, at, ids }: { realm: RealmRecord; user: UserRecord; at: number; ids: readonly number[] },
): string {
  return JSON.stringify({
    ...toCommonPayload(app, { realm, user, type: "remove", at }),
    message_ids: ids,
  });
}

function toRecipientFields({ message, channel, conversation }: VisibleMessage): Payload {
  if (channel === null) return { recipient_type: "direct", recipient_user_ids: conversation?.user_ids ?? [] };
  const { id: channel_id, name: channel_name } = channel;
  return { recipient_type: "channel", channel_id, channel_name, topic: message.topic };
}

/** Returns the JSON of a payload with as much of the text as fits. */
function fitContent(payload: Payload, text: string): string {
  const encoder = new TextEncoder();
  for (let length = MAX_CONTENT;; length = Math.floor(length / 2)) {
    const json = JSON.stringify({ ...payload, content: truncate(text, length) });
    if (length === 0 || encoder.encode(json).length <= MAX_PAYLOAD_BYTES) return json;
  }
}

function truncate(text: string, max: number): string {
  const points = [...text];
  return points.length <= max ? text : points.slice(0, Math.max(max - 1, 0)).join("") + "…";
}

/** Tags that end a line of text. */
const LINE_ENDS = /<br>|<\/(?:p|li|h[1-6]|tr|pre|blockquote|div|ul|ol)>/g;
/** A Unicode emoji, whose class contains its code points. */
const EMOJI = /<span\b[^<>]*?\bclass="emoji emoji-([0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*)"[^<>]*>[^<]*<\/span>/g;
const IMAGE = /<img\b[^<>]*?\salt="([^"<>]*)"[^<>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", nbsp: " " };

/** Returns the plain text of a rendered message, without spoilers and with images replaced by their names. */
export function toPlainText(html: string): string {
  const lines = html.replace(EMOJI, (_, codes: string) => toCharacters(codes)).replace(IMAGE, "$1").replace(
    LINE_ENDS,
    (end) => `${end}\n`,
  );
  // The filter is called for allowed tags only, so `div` stays allowed here and is removed below.
  const kept = sanitizeHtml(lines, {
    allowedTags: ["div"],
    allowedAttributes: {},
    exclusiveFilter: ({ attribs }) => /(^|\s)spoiler-content(\s|$)/.test(attribs["class"] ?? ""),
  });
  const decoded = kept.replace(/<[^<>]*>/g, "").replace(
    /&(lt|gt|quot|amp|nbsp);/g,
    (whole, name: string) => ENTITIES[name] ?? whole,
  );
  return decoded.replace(/[^\S\n]+/g, " ").replace(/ ?\n\s*/g, "\n").trim();
}

function toCharacters(codes: string): string {
  return String.fromCodePoint(...codes.split("-").map((code) => Number.parseInt(code, 16)));
}
