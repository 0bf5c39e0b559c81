import assert from "node:assert/strict";
import type { ChannelRecord } from "@/lib/chat/organization/channels/model/channel.ts";
import { putChannel } from "@/lib/chat/channels/store.ts";
import { permissionsOf } from "@/lib/chat/organization/permissions/store.ts";
import { transact } from "@/lib/store/transact.ts";
import { startChat } from "@/tests/helpers/chat.ts";

Deno.test("putChannel() rejects a channel that exceeds one record", async () => {
  await using chat = await startChat();
  const { chat: app, store } = chat.services;
  const direct_members = Array.from({ length: 30_000 }, (_, at) => at);
  const after: ChannelRecord = {
    ...{ id: 1, name: "c", description: "", creator_id: null, date_created: 0, folder_id: null },
    ...{ invite_only: false, is_web_public: false, history_public_to_subscribers: true },
    ...{ message_retention_days: null, is_archived: false, topics_policy: "inherit" },
    permissions: { can_subscribe_group: { direct_members, direct_subgroups: [] } },
  };
  const put = transact(store, async (tx) => {
    putChannel(tx, permissionsOf(await tx.organization(chat.realm.id), app.clock), after);
  });
  await assert.rejects(put, { message: "The channel would name too many users and groups." });
});
