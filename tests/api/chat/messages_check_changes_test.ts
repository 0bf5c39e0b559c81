import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import type { Sent } from "@/tests/helpers/chat.ts";
import { makeChannel, send, startChat } from "./messages_cast.ts";

Deno.test("check finds nothing after messages were moved, edited and deleted", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const channel = await makeChannel(chat, "Garden");
  const other = await makeChannel(chat, "Shed");
  const mention = `@**Moderator|${chat.moderator.id}**`;
  const ids: number[] = [];
  for (const word of ["roses", "tulips", "herbs", "weeds"]) {
    ids.push(
      await send(chat, chat.owner, { to: channel, topic: "Plans", content: `Good ${word} ${mention}` }),
    );
  }
  const change = async (method: string, id: number | undefined, of: Sent = {}) => {
    const { status, body } = await chat.call(chat.owner, `${method} /messages/${id}`, of);
    assert.equal(status, 200, `${JSON.stringify(of).slice(0, 80)}: ${JSON.stringify(body)}`);
    assert.deepEqual((await checkChat(kv)).problems, [], `${method} ${JSON.stringify(of).slice(0, 80)}`);
  };
  await change("PATCH", ids[0], { topic: "Tea", propagate_mode: "change_one" });
  await change("PATCH", ids[1], { topic: "Tea", propagate_mode: "change_all" });
  await change("PATCH", ids[2], { stream_id: other, propagate_mode: "change_all" });
  await change("PATCH", ids[2], { content: "other words " + "x ".repeat(4000) });
  await change("PATCH", ids[2], { content: `${mention} `.repeat(400) });
  await change("PATCH", ids[2], { content: "small" });
  for (const id of ids) await change("DELETE", id);
});
