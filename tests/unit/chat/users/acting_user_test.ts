import assert from "node:assert/strict";
import type { ChatApp } from "@/lib/chat/organization/app.ts";
import { regenerateApiKey } from "@/lib/chat/people/auth/api_keys.ts";
import { createChannelFolder } from "@/lib/chat/channels/channel_folders.ts";
import { addDefaultChannel } from "@/lib/chat/channels/update_default_channels.ts";
import { reorderLinkifiers } from "@/lib/chat/messages/linkifiers/change_linkifiers.ts";
import { muteUser } from "@/lib/chat/messages/mute_users.ts";
import { createEmoji, deactivateEmoji } from "@/lib/chat/organization/emoji/change_emoji.ts";
import { addDomain } from "@/lib/chat/organization/organizations/edit_domains.ts";
import { removeAvatar } from "@/lib/chat/people/users/avatar.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { readUser } from "@/lib/chat/organization/users/store.ts";
import { AppError } from "@/lib/core/errors.ts";
import { startChat } from "@/tests/helpers/chat.ts";

/** An image of one pixel. */
const PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);

/** Actions of an owner, by name. */
const ACTIONS: Readonly<Record<string, (app: ChatApp, caller: Caller, otherId: number) => Promise<unknown>>> =
  {
    createChannelFolder: (app, caller) => createChannelFolder(app, caller, { name: "New", description: "" }),
    reorderLinkifiers: (app, caller) => reorderLinkifiers(app, caller, []),
    removeAvatar: (app, caller) => removeAvatar(app, caller),
    addDomain: (app, caller) => addDomain(app, caller, { domain: "example.org", allow_subdomains: false }),
    createEmoji: (app, caller) => createEmoji(app, caller, { name: "sprout", files: [PIXEL] }),
    deactivateEmoji: (app, caller) => deactivateEmoji(app, caller, "sprig"),
    muteUser: (app, caller, otherId) => muteUser(app, caller, otherId),
    addDefaultChannel: (app, caller) => addDefaultChannel(app, caller, 1),
    regenerateApiKey: (app, caller) => regenerateApiKey(app, caller),
  };

for (const [name, act] of Object.entries(ACTIONS)) {
  Deno.test(`${name}() refuses an acting user who was deactivated after the request was authorized`, async () => {
    await using chat = await startChat();
    const { chat: app } = chat.services;
    const { id } = await chat.add("second", 100);
    const actingUser = await readUser(app, chat.realm.id, id);
    assert.ok(actingUser !== null);
    assert.equal((await chat.call(chat.owner, `DELETE /users/${id}`)).status, 200);
    await assert.rejects(
      act(app, { realm: chat.realm, actingUser }, chat.member.id),
      (error) => error instanceof AppError && error.code === "USER_DEACTIVATED",
    );
  });
}
