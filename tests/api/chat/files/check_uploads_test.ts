import assert from "node:assert/strict";
import { uploadKeys, type UploadRecord } from "@/lib/chat/organization/files/model.ts";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { startChat } from "@/tests/helpers/chat.ts";
import { sendDirect } from "@/tests/casts/messages_cast.ts";
import { upload } from "@/tests/casts/files_cast.ts";

Deno.test("check reports no problem after uploads, and each inconsistent index, count and chunk", async () => {
  await using chat = await startChat();
  const { kv } = chat.services.store;
  const realmId = chat.realm.id;
  const { body } = await upload(chat, chat.member, { name: "a.txt", content: "x".repeat(100_000) });
  await upload(chat, chat.member, { name: "b.txt", content: "y" });
  const message = await sendDirect(chat, chat.member, [chat.admin], `[a](${body["url"]})`);
  assert.deepEqual((await checkChat(kv)).problems, []);
  const [one, two] = (await chat.call(chat.member, "GET /attachments")).body["attachments"];
  const blobOf = async (id: number) =>
    (await kv.get<UploadRecord>([...uploadKeys.upload(realmId, id)])).value?.blob ?? "";
  const unclaimed = await Array.fromAsync(kv.list({ prefix: [...uploadKeys.unreferenced] }));
  for (const { key } of unclaimed) await kv.delete(key);
  await kv.atomic()
    .delete([...uploadKeys.byPath(realmId, one.path_id)])
    .delete([...uploadKeys.ofOwner(realmId, chat.member.id), two.id])
    .set([...uploadKeys.ofOwner(realmId, chat.admin.id), two.id], true)
    .delete([...uploadKeys.reference(realmId, one.id, message)])
    .set([...uploadKeys.reference(realmId, two.id, 999)], true)
    .set([...uploadKeys.spaceUsed(realmId)], 7)
    .delete([...uploadKeys.blob(realmId, await blobOf(one.id)), 1])
    .set([...uploadKeys.blob(realmId, "stray"), 0], new Uint8Array(3))
    .commit();
  const { problems } = await checkChat(kv);
  for (
    const wanted of [
      `paths of files, ${one.path_id} is missing`,
      `files of accounts, ${chat.member.id} ${two.id} is missing`,
      `files of accounts, ${chat.admin.id} ${two.id} should not exist`,
      `messages that link files, ${one.id} ${message} is missing`,
      `messages that link files, ${two.id} 999 should not exist`,
      "the counted size of all files is 7 bytes; their size is 100001",
      `file ${one.id} has a size of 100000 bytes; 61440 are stored`,
      `file ${two.id} is not linked and not queued for removal`,
      "the stored bytes stray have no file",
    ]
  ) assert.ok(problems.some((problem) => problem.includes(wanted)), `${wanted} in\n${problems.join("\n")}`);
});
