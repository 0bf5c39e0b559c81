import { strict as assert } from "node:assert";
import PostalMime from "postal-mime";
import type { Kv } from "@/lib/store/kv.ts";
import { inviteKeys, type MailingRecord } from "@/lib/chat/joining/invites/model.ts";
import type { QueuedMail } from "@/lib/mail/queue.ts";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { ask } from "./messages_traffic.ts";
import { type Random, readRounds, readSeed, seededRandom } from "./traffic.ts";

const ROUNDS = readRounds(1);
/** More than fit into one commit. */
const ADDRESSES = 310;

/** Organization and credentials of its owner. */
interface Owner {
  readonly realmId: number;
  readonly authorization: string;
}

async function makeOwner(store: string): Promise<Owner> {
  const { realm_id, email, api_key } = await createGardeners(store);
  return { realmId: realm_id, authorization: basic(email, api_key) };
}

/**
 * Invites addresses and kills the server between the first stored invitation and the last composed mail,
 * while it also sends the mails of earlier rounds; returns whether the request had been answered.
 */
async function inviteAndKill(
  server: TestServer,
  { realmId, authorization }: Owner,
  { domain, random }: { domain: string; random: Random },
): Promise<boolean> {
  using kv = await Deno.openKv(server.store);
  const readRows = async () => ({
    invites: await countRows(kv, inviteKeys.invites(realmId)),
    offers: await countRows(kv, inviteKeys.offers(realmId)),
    uncomposed: await countUncomposed(kv),
  });
  const before = await readRows();
  const emails = Array.from({ length: ADDRESSES }, (_, at) => `a${at}@${domain}`);
  const asking = ask(`${server.url}/api/v1/invites`, {
    method: "POST",
    headers: { authorization },
    body: new URLSearchParams({ invitee_emails: emails.join(), stream_ids: "[]" }),
  });
  let isRefused = false;
  asking.then((reply) => isRefused = reply !== null && reply.status !== 200, () => {});
  const goal = 1 + Math.floor(random() * 2 * ADDRESSES);
  const isMet = ({ invites, offers, uncomposed }: typeof before) => {
    const composed = offers > before.offers ? ADDRESSES - (uncomposed - before.uncomposed) : 0;
    return isRefused || invites - before.invites + composed >= goal;
  };
  await server.waitFor(`${goal} invitations and mails are written`, readRows, isMet);
  await server.kill();
  const reply = await asking;
  if (reply !== null) assert.equal(reply.status, 200, reply.text);
  return reply !== null;
}

async function countRows(kv: Kv, prefix: readonly Deno.KvKeyPart[]): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: [...prefix] }, { batchSize: 500 }))).length;
}

/** Counts the mails of invitations that are still to be composed. */
async function countUncomposed(kv: Kv): Promise<number> {
  const mailings = await Array.fromAsync(kv.list<MailingRecord>({ prefix: [...inviteKeys.mailings] }));
  const invitations = mailings.filter(({ value }) => value.kind === "invitation");
  return invitations.reduce((sum, { value }) => sum + value.invite_ids.length, 0);
}

/** Lists the files of the mails that were sent. */
function listMails(folder: string): string[] {
  const names = Array.from(Deno.readDirSync(`${folder}/data/mail`), ({ name }) => name);
  return names.filter((name) => name.endsWith(".eml"));
}

async function invitedByDomain(server: TestServer, { authorization }: Owner): Promise<Map<string, number>> {
  const reply = await ask(`${server.url}/api/v1/invites`, { headers: { authorization } });
  const { invites }: { invites: { email: string }[] } = JSON.parse(reply?.text ?? "{}");
  const byDomain = Map.groupBy(invites, ({ email }) => email.split("@")[1] ?? "");
  return new Map([...byDomain].map(([domain, items]) => [domain, items.length]));
}

/** Mail ids by address. */
type MailIds = Map<string, Set<string>>;

function addMail(ids: MailIds, address: string | undefined, id: string | undefined): void {
  const known = ids.get(address ?? "") ?? new Set<string>();
  ids.set(address ?? "", known.add(id ?? ""));
}

/** Reads the ids of the mails that were sent; a mail sent twice has the same id. */
async function sentMails(folder: string): Promise<MailIds> {
  const ids: MailIds = new Map();
  for (const name of listMails(folder)) {
    const { to, messageId } = await PostalMime.parse(await Deno.readFile(`${folder}/data/mail/${name}`));
    addMail(ids, to?.[0]?.address, /[0-9a-f]{32}/.exec(messageId ?? "")?.[0]);
  }
  return ids;
}

/** Adds the mails in the queue: one that was being sent at a kill is sent again when its lease ends. */
async function addQueuedMails(ids: MailIds, store: string): Promise<void> {
  using kv = await Deno.openKv(store);
  for await (const { key, value } of kv.list<QueuedMail>({ prefix: ["mail"] })) {
    addMail(ids, value.mail.to.address, String(key[2]));
  }
}

/** Waits until every mail was composed, and was sent or is leased to a server that was killed. */
async function untilMailed(server: TestServer): Promise<void> {
  using kv = await Deno.openKv(server.store);
  // Remaining steps: composing each mail and sending it.
  const readLeft = async () => {
    let left = 2 * await countUncomposed(kv);
    // A mail is due when it is created, until a server takes a lease on it.
    for await (const { key, value } of kv.list<QueuedMail>({ prefix: ["mail"] })) {
      if (key[1] === value.created_at) left++;
    }
    return left;
  };
  for (let left = await readLeft(); left > 0;) {
    const goal = Math.floor(left / 2);
    left = await server.waitFor(`at most ${goal} steps are left`, readLeft, (now) => now <= goal);
  }
}

Deno.test("kill -9 during 310 invitations: each request stores all or none, with one mail per address", async () => {
  const seed = readSeed();
  const random = seededRandom(seed);
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/data/mail`, { recursive: true });
  try {
    const owner = await makeOwner(`${folder}/sotto.kv`);
    const acknowledged = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      await using server = await TestServer.start({ folder });
      const domain = `round${round}.example`;
      if (await inviteAndKill(server, owner, { domain, random })) acknowledged.add(domain);
    }
    await using server = await TestServer.start({ folder });
    const invited = await invitedByDomain(server, owner);
    assert.deepEqual([...invited.values()].filter((count) => count !== ADDRESSES), []);
    assert.deepEqual([...acknowledged].filter((domain) => !invited.has(domain)), []);
    const count = invited.size * ADDRESSES;
    await untilMailed(server);
    assert.equal(await server.stop(), 0);
    const mails = await sentMails(folder);
    assert.ok(mails.size >= count - ROUNDS, `${mails.size} of ${count} were sent`);
    await addQueuedMails(mails, server.store);
    assert.equal(mails.size, count);
    assert.deepEqual([...mails].filter(([, ids]) => ids.size !== 1), []);
    assert.equal((await callCommand(server.store, "check")).ok, true);
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
