import assert from "node:assert/strict";
import { startChat, type TestChat } from "@/tests/helpers/chat.ts";
import { visitPages } from "@/tests/helpers/pages.ts";
import { toMailName } from "@/lib/mail/mail.ts";

/** A full name of less than 100 characters that is a sentence with a link. */
const SENTENCE =
  "Your account is locked. Unlock it at https://evil.example/login or www.evil.example/now today";
/** Texts that mail programs turn into links. */
const LINK = /:\/\/|\bwww\.\S|[\p{L}\p{N}_-][.．。｡]\p{L}/u;

/** Returns what a mail says, without its own links and its real addresses. */
async function readWords(chat: TestChat): Promise<string> {
  const mail = (await chat.mails()).at(-1);
  assert.ok(mail !== undefined);
  const html = (mail.html ?? "").replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, " ");
  return `${mail.subject}\n${mail.text}\n${html}`
    .replaceAll(/http:\/\/localhost:8000\S*/g, "").replaceAll(/\w+@example\.(com|org)/g, "");
}

Deno.test("C16: a full name puts no link and no long text into an invitation mail", async () => {
  await using chat = await startChat();
  await chat.call(chat.admin, "PATCH /settings", { full_name: SENTENCE });
  const params = { invitee_emails: "newcomer@example.org", stream_ids: [] };
  assert.equal((await chat.call(chat.admin, "POST /invites", params)).status, 200);
  const words = await readWords(chat);
  assert.doesNotMatch(words, LINK);
  assert.ok(words.includes("Your account is locked"), words);
  assert.ok(!words.includes("today"), words);
});

Deno.test("C16: a full name puts no link into mail to its own user", async () => {
  await using chat = await startChat();
  await chat.call(chat.member, "PATCH /settings", { full_name: "https://evil.example/login" });
  await visitPages(chat).post("/forgot-password", { email: chat.member.email });
  assert.doesNotMatch(await readWords(chat), LINK);
});

Deno.test("C16: toMailName() shows usual names as they are", () => {
  for (
    const name of ["Ada Green", "J. R. Smith", "Zoë O'Brien-García", "李雷", "Dr. Müller", "Ben 2.0", "عائشة"]
  ) {
    assert.equal(toMailName(name), name);
  }
  assert.equal(toMailName("J.R. Smith"), "J. R. Smith");
  assert.equal([...toMailName("😀".repeat(100))].length, 60);
});
