import assert from "node:assert/strict";
import { THUMBNAIL_FORMAT } from "@/lib/chat/organization/files/model.ts";
import { OUTGOING_WEBHOOK_BOT } from "@/lib/chat/organization/users/model.ts";
import { Cache } from "@/lib/store/cache.ts";
import { CallProvider, consent } from "@/tests/casts/calls_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";
import { PNG } from "@/tests/casts/pictures_cast.ts";
import { newDevice } from "@/tests/casts/push_notifications_cast.ts";
import { startWriteCast, type WriteCast } from "@/tests/casts/write_cast.ts";
import { startPushProvider } from "@/tests/helpers/push_provider.ts";
import { succeed } from "@/tests/helpers/succeed.ts";

/** An organization with a record of every kind that requests read or change. */
export interface ExampleCast extends WriteCast {
  /** Path parameters of an uploaded file, and of the thumbnail of an uploaded image. */
  readonly file: Readonly<Record<"realm_id" | "path", string>>;
  readonly thumbnail: Readonly<Record<"realm_id" | "path", string>>;
  /** Paths of the member's avatar and of a custom emoji, by segments. */
  readonly pictures: Readonly<Record<"avatar" | "emoji", readonly string[]>>;
  /** Id of an outgoing webhook bot of the member with a delivery. */
  readonly outgoing: number;
  /** Undoes what requests have changed. */
  readonly restore: () => Promise<void>;
}

/** Starts a server with the organization. */
export async function startExampleCast(): Promise<ExampleCast> {
  const [calls, push] = [new CallProvider(), startPushProvider()];
  const cast = await startWriteCast({ ...calls.env, ...push.env });
  await connectModerator(cast);
  const { member, faulty, services } = cast;
  const { attachments: [attachment] } = (await cast.call(member, "GET /attachments")).body;
  const [realmId = "", ...names] = attachment.path_id.split("/");
  const image = { name: "tulip.png", content: Uint8Array.from(PNG), type: "image/png" };
  const [, , , ...imageNames] = (await upload(cast, member, image)).body["url"].split("/");
  const outgoing = await createOutgoingWebhook(cast);
  await succeed(cast, cast.owner, "POST /users/me/status", {
    status_text: "Watering",
    emoji_name: "sunflower",
  });
  await succeed(cast, cast.owner, "POST /mark_all_as_read");
  const pictures = await listPictures(cast);
  await faulty.takeSnapshot();
  return {
    ...cast,
    file: { realm_id: realmId, path: names.join("/") },
    thumbnail: { realm_id: realmId, path: [...imageNames, THUMBNAIL_FORMAT.name].join("/") },
    pictures,
    outgoing,
    async [Symbol.asyncDispose]() {
      await cast[Symbol.asyncDispose]();
      await calls[Symbol.asyncDispose]();
      await push[Symbol.asyncDispose]();
    },
    restore: async () => {
      await Promise.all([services.links.creation.drain(), services.links.visits.drain()]);
      await Promise.all([services.chat.messageCommitter.drain(), services.chat.presenceCommitter.drain()]);
      // Versions return to earlier numbers, for which the cache has values of the state that was undone.
      if (await faulty.restore()) Object.assign(services.chat, { cache: new Cache() });
    },
  };
}

/** Connects the moderator with the provider of calls, and registers a device for notifications. */
async function connectModerator(cast: WriteCast): Promise<void> {
  const { moderator, remote: { keys }, clock, services } = cast;
  await consent(cast, moderator);
  const { params } = await newDevice({ kind: "fcm", keys, now: clock.now() });
  const { device_id } = await succeed(cast, moderator, "POST /register_client_device");
  await succeed(cast, moderator, "POST /mobile_push/register", { device_id, ...params });
  await services.pushRegistrar.sweep();
}

async function createOutgoingWebhook(cast: WriteCast): Promise<number> {
  const { member, ids } = cast;
  const { user_id } = await succeed(cast, member, "POST /bots", {
    full_name: "Gate",
    short_name: "gate",
    bot_type: OUTGOING_WEBHOOK_BOT,
    payload_url: "https://hooks.example.com/gate",
  });
  const [to, content] = [ids["channel"], "Is it open, @**Gate**?"];
  await succeed(cast, member, "POST /messages", { type: "channel", to, topic: "plans", content });
  return user_id;
}

async function listPictures(cast: WriteCast): Promise<ExampleCast["pictures"]> {
  const { avatar_url } = (await cast.call(cast.member, "GET /users/me")).body;
  const { emoji } = (await cast.call(cast.member, "GET /realm/emoji")).body;
  const [first] = Object.values<{ source_url: string }>(emoji);
  assert.ok(first !== undefined);
  return { avatar: toSegments(avatar_url), emoji: toSegments(first.source_url) };
}

function toSegments(address: string): readonly string[] {
  return new URL(address, "http://localhost").pathname.slice(1).split("/");
}
