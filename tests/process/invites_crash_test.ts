import { strict as assert } from "node:assert";
import PostalMime from "postal-mime";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer, within } from "@/tests/helpers/server.ts";
import type { QueuedMail } from "@/lib/mail/queue.ts";
import { ask } from "./messages_traffic.ts";
import { type Random, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = 5;
/** More than one commit takes. */
const ADDRESSES = 400;
/** What was left to queue is looked for soon after the start; then every mail has to be written. */
const MAILED_WITHIN_MS = 60_000;

async function prepare(server: TestServer): Promise<string> {
  const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
  const { email, api_key } = await admin(server.store, "create-realm", "--name", "Gardeners", ...owner);
  return basic(email, api_key);
}

/** Invites many and kills the server meanwhile; whether it had answered. */
async function inviteAndKill(
  server: TestServer,
  authorization: string,
  { domain, random }: { domain: string; random: Random },
): Promise<boolean> {
  const emails = Array.from({ length: ADDRESSES }, (_, at) => `a${at}@${domain}`);
  const reply = ask(`${server.url}/api/v1/invites`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams({ invitee_emails: emails.join(), stream_ids: "[]" }),
  });
  await new Promise((resolve) => setTimeout(resolve, 10 + random() * 400));
  await server.kill();
  return (await reply)?.status === 200;
}

async function invitedByDomain(server: TestServer, authorization: string): Promise<Map<string, number>> {
  const reply = await ask(`${server.url}/api/v1/invites`, { headers: { authorization } });
  const { invites }: { invites: { email: string }[] } = JSON.parse(reply?.text ?? "{}");
  const byDomain = Map.groupBy(invites, ({ email }) => email.split("@")[1] ?? "");
  return new Map([...byDomain].map(([domain, items]) => [domain, items.length]));
}

/** The ids of the mails to each address. */
type MailIds = Map<string, Set<string>>;

function note(ids: MailIds, address: string | undefined, id: string | undefined): void {
  const known = ids.get(address ?? "") ?? new Set<string>();
  ids.set(address ?? "", known.add(id ?? ""));
}

/** Mails that were sent; one that was sent twice has one id. */
async function sentMails(folder: string): Promise<MailIds> {
  const ids: MailIds = new Map();
  for await (const { name } of Deno.readDir(`${folder}/data/mail`)) {
    if (!name.endsWith(".eml")) continue;
    const { to, messageId } = await PostalMime.parse(await Deno.readFile(`${folder}/data/mail/${name}`));
    note(ids, to?.[0]?.address, /[0-9a-f]{32}/.exec(messageId ?? "")?.[0]);
  }
  return ids;
}

/** The same with those that wait: one that was being sent at a kill is sent again some minutes after. */
async function queuedMails(folder: string, store: string): Promise<MailIds> {
  const ids = await sentMails(folder);
  using kv = await Deno.openKv(store);
  for await (const { key, value } of kv.list<QueuedMail>({ prefix: ["mail"] })) {
    note(ids, value.mail.to.address, String(key[2]));
  }
  return ids;
}

/** Settles once mails to so many addresses were sent, and no more are for a moment. */
async function untilMailed(folder: string, count: number): Promise<void> {
  while ((await sentMails(folder)).size < count) await new Promise((resolve) => setTimeout(resolve, 500));
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

Deno.test("kill -9 while hundreds are invited, 5 times: all of a request or none, and one mail for each", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/data/mail`, { recursive: true });
  try {
    const authorization = await (async () => {
      await using server = await TestServer.start({ folder });
      return await prepare(server);
    })();
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      const domain = `round${round}.example`;
      if (await inviteAndKill(server, authorization, { domain, random })) acknowledged.add(domain);
    }
    await using server = await TestServer.start({ folder });
    const invited = await invitedByDomain(server, authorization);
    assert.deepEqual([...invited.values()].filter((count) => count !== ADDRESSES), []);
    assert.deepEqual([...acknowledged].filter((domain) => !invited.has(domain)), []);
    const count = invited.size * ADDRESSES;
    await within(MAILED_WITHIN_MS, untilMailed(folder, count - ROUNDS), () => "mails are missing");
    assert.equal(await server.stop(), 0);
    const mails = await queuedMails(folder, server.store);
    assert.equal(mails.size, count);
    assert.deepEqual([...mails].filter(([, ids]) => ids.size !== 1), []);
    assert.equal((await admin(server.store, "check")).ok, true);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
