import sanitizeHtml from "sanitize-html";
import type { ChatApp } from "../app.ts";
import { type SeenMessage } from "../messages/access.ts";
import { readRendered } from "../messages/view.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import { readUser } from "../users/store.ts";
import type { UserRecord } from "../users/user.ts";
import { avatarUrl } from "../users/view.ts";
import type { NotificationReason } from "./reason.ts";

/** The longest text of a message in a notification, in code points. */
const MAX_CONTENT = 200;
/** Bytes of a notification before it is encrypted: providers take 4,096 of it in Base64, with some around it. */
const MAX_PAYLOAD_BYTES = 2800;

/** What a device is told, as it decrypts it: JSON. */
export type Payload = Readonly<Record<string, unknown>>;

/** What every notification says. */
export function commonPayload(
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

/** What a device is told of a message, in MAX_PAYLOAD_BYTES at most; null where its sender is not there any more. */
export async function messagePayload(
  app: ChatApp,
  realm: RealmRecord,
  { seen, user, reason }: { seen: SeenMessage; user: UserRecord; reason: NotificationReason },
): Promise<string | null> {
  const { message } = seen;
  const [sender, html] = await Promise.all([
    readUser(app, realm.id, message.sender_id),
    readRendered(app, realm.id, message),
  ]);
  if (sender === null) return null;
  return fit({
    ...commonPayload(app, { realm, user, type: "message", at: message.sent_at }),
    message_id: message.id,
    trigger: reason,
    sender_id: sender.id,
    sender_full_name: sender.full_name,
    sender_avatar_url: avatarUrl(sender, { app, realm, viewer: user }),
    ...toPlace(seen),
  }, toPlainText(html));
}

/** Ids in one notification at most, and bytes that they may take together: the rest is for who and where. */
const MAX_REMOVED = 200;
const MAX_REMOVED_BYTES = 2000;

/** Ids of messages as they are taken back: those of one notification together. */
export function inRemovals(ids: readonly number[]): readonly (readonly number[])[] {
  const removals: number[][] = [];
  let [last, bytes] = [new Array<number>(), 0];
  for (const id of ids) {
    bytes += String(id).length + 1;
    if (last.length === 0 || last.length === MAX_REMOVED || bytes > MAX_REMOVED_BYTES) {
      [last, bytes] = [[], String(id).length + 1];
      removals.push(last);
    }
    last.push(id);
  }
  return removals;
}

/** What a device is told to take back. */
export function removalPayload(
  app: Pick<ChatApp, "config">,
  { realm, user, at, ids }: { realm: RealmRecord; user: UserRecord; at: number; ids: readonly number[] },
): string {
  return JSON.stringify({
    ...commonPayload(app, { realm, user, type: "remove", at }),
    message_ids: ids,
  });
}

function toPlace({ message, channel, conversation }: SeenMessage): Payload {
  if (channel === null) return { recipient_type: "direct", recipient_user_ids: conversation?.user_ids ?? [] };
  const { id: channel_id, name: channel_name } = channel;
  return { recipient_type: "channel", channel_id, channel_name, topic: message.topic };
}

/** The payload with as much of the text as there is room for. */
function fit(payload: Payload, text: string): string {
  const encoder = new TextEncoder();
  for (let room = MAX_CONTENT;; room = Math.floor(room / 2)) {
    const whole = JSON.stringify({ ...payload, content: cut(text, room) });
    if (room === 0 || encoder.encode(whole).length <= MAX_PAYLOAD_BYTES) return whole;
  }
}

function cut(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : points.slice(0, Math.max(most - 1, 0)).join("") + "…";
}

/** What ends a line of text. */
const LINE_ENDS = /<br>|<\/(?:p|li|h[1-6]|tr|pre|blockquote|div|ul|ol)>/g;
/** An emoji that Unicode has: its class names its code points. */
const EMOJI = /<span\b[^>]*?\bclass="emoji emoji-([0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*)"[^>]*>[^<]*<\/span>/g;
const IMAGE = /<img\b[^>]*?\salt="([^"]*)"[^>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", nbsp: " " };

/** The text of a rendered message: what is hidden until somebody opens it stays out, pictures are named. */
export function toPlainText(html: string): string {
  const lines = html.replace(EMOJI, (_, codes: string) => toCharacters(codes)).replace(IMAGE, "$1").replace(
    LINE_ENDS,
    (end) => `${end}\n`,
  );
  // Only elements that may stay are asked about, so those that hide something stay at first.
  const kept = sanitizeHtml(lines, {
    allowedTags: ["div"],
    allowedAttributes: {},
    exclusiveFilter: ({ attribs }) => /(^|\s)spoiler-content(\s|$)/.test(attribs["class"] ?? ""),
  });
  const decoded = kept.replace(/<[^>]*>/g, "").replace(
    /&(lt|gt|quot|amp|nbsp);/g,
    (whole, name: string) => ENTITIES[name] ?? whole,
  );
  return decoded.replace(/[^\S\n]+/g, " ").replace(/\s*\n\s*/g, "\n").trim();
}

function toCharacters(codes: string): string {
  return String.fromCodePoint(...codes.split("-").map((code) => Number.parseInt(code, 16)));
}
