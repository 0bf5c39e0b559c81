import assert from "node:assert/strict";
import PostalMime from "postal-mime";
import type { Store } from "@/lib/store/open.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { LEASE_MS } from "@/lib/mail/mailer.ts";
import { createTestFolder, openTestStore } from "@/tests/helpers/store.ts";
import { composeInvitation, createTestMailer, refusal, startSmtp } from "@/tests/casts/mail_cast.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** More mails than a mailer reads at once. The test server delays each connection by 100 ms. */
const MANY = 21;

async function listKeys(store: Store): Promise<unknown[]> {
  const entries = await Array.fromAsync(store.kv.list({ start: ["mail"], end: ["mail_failed", true] }));
  return entries.map(({ key }) => key[0]);
}

/** Returns the recipients of the mails in a folder, one per mail. */
async function listReceivers(folder: string): Promise<(string | undefined)[]> {
  const files = await Array.fromAsync(Deno.readDir(folder));
  return await Promise.all(files.map(async ({ name }) => {
    const { to } = await PostalMime.parse(await Deno.readFile(`${folder}/${name}`));
    return to?.[0]?.address;
  }));
}

/** Refuses the first `times` recipients, then accepts them. */
function refuseReceivers(times: number, code: number) {
  let left = times;
  return {
    onRcptTo({ address }: { address: string }, _session: unknown, done: (error?: Error | null) => void) {
      done(left-- > 0 ? refusal(code, `<${address}> is not welcome, join/s3cretk3y`) : null);
    },
  };
}

Deno.test("sweep() sends all due mails and leaves nothing in the store", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp();
  const { mailer, clock, log, enqueue } = createTestMailer(store, smtp.url);
  for (let at = 0; at < MANY; at++) await enqueue(`user${at}@example.com`);
  assert.equal(await mailer.pending(), MANY);
  await mailer.sweep();
  assert.equal(new Set(smtp.received.map(({ recipients: receivers }) => receivers.join())).size, MANY);
  assert.equal(smtp.received.length, MANY);
  assert.equal(await mailer.pending(), 0);
  assert.deepEqual(await listKeys(store), []);
  assert.deepEqual(log.lines, []);
  clock.time += 10 * LEASE_MS;
  await mailer.sweep();
  assert.equal(smtp.received.length, MANY);
});

Deno.test("sweep() writes files without an SMTP server", async () => {
  using store = await openTestStore();
  await using folder = await createTestFolder();
  const { mailer, enqueue } = createTestMailer(store, null, folder.path);
  await enqueue("noor@example.com");
  await mailer.sweep();
  assert.equal([...Deno.readDirSync(folder.path)].filter(({ name }) => name.endsWith(".eml")).length, 1);
});

Deno.test("a temporarily refused mail is retried with growing delays", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp(refuseReceivers(6, 451));
  const { mailer, clock, log, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  await mailer.sweep();
  const pauses = [MINUTE_MS / 2, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 4 * HOUR_MS];
  for (const [at, pause] of pauses.entries()) {
    assert.equal(log.lines.length, at + 1);
    clock.time += pause - 1;
    await mailer.sweep();
    assert.equal(log.lines.length, at + 1, "not before it is due");
    assert.equal(smtp.received.length, 0);
    clock.time += 1;
    await mailer.sweep();
  }
  assert.equal(smtp.received.length, 1);
  assert.deepEqual(
    log.lines.map(({ level, fields }) => [level, fields["attempts"], fields["reason"]]),
    [
      1,
      2,
      3,
      4,
      5,
      6,
    ].map((attempts) => ["warn", attempts, "EENVELOPE RCPT TO 451"]),
  );
  assert.deepEqual(await listKeys(store), []);
});

Deno.test("a permanently refused mail is given up at once, and the next one is sent", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp(refuseReceivers(1, 550));
  const { mailer, clock, log, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("gone@example.com");
  clock.time++;
  await enqueue("noor@example.com");
  await mailer.sweep();
  assert.deepEqual(smtp.received.map(({ recipients: receivers }) => receivers.join()), ["noor@example.com"]);
  assert.deepEqual(await listKeys(store), ["mail_failed"]);
  assert.equal(await mailer.pending(), 0);
  const [line] = log.lines;
  assert.deepEqual([log.lines.length, line?.level, line?.message], [1, "error", "mail not sent; giving up"]);
  const failed = await store.kv.get<{ reason: string; attempts: number; mail: unknown }>([
    "mail_failed",
    String(line?.fields["mail"]),
  ]);
  assert.deepEqual([failed.value?.reason, failed.value?.attempts], ["EENVELOPE RCPT TO 550", 1]);
  assert.deepEqual(failed.value?.mail, composeInvitation("gone@example.com"));
});

Deno.test("a mail is given up after three days of failures", async () => {
  using store = await openTestStore();
  const { mailer, clock, log, enqueue } = createTestMailer(store, "smtp://127.0.0.1:1");
  await enqueue("noor@example.com");
  const start = clock.time;
  while (await mailer.pending() > 0 && clock.time - start < 100 * HOUR_MS) {
    await mailer.sweep();
    clock.time += HOUR_MS / 4;
  }
  const hours = (clock.time - start) / HOUR_MS;
  assert.ok(hours >= 72 && hours < 77, `${hours} hours`);
  assert.deepEqual(await listKeys(store), ["mail_failed"]);
  assert.equal(log.lines.at(-1)?.level, "error");
  assert.match(String(log.lines.at(-1)?.fields["reason"]), /^(ESOCKET|ECONNREFUSED|ECONNECTION)/);
});

Deno.test("a mail that became old while no process was running is retried before it is given up", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp(refuseReceivers(1, 421));
  const { mailer, clock, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  clock.time += 100 * HOUR_MS;
  await mailer.sweep();
  clock.time += MINUTE_MS;
  await mailer.sweep();
  assert.equal(smtp.received.length, 1);
});

Deno.test("a refused sign-in or sender loses no mail", async () => {
  using store = await openTestStore();
  let isCorrected = false;
  await using smtp = await startSmtp({
    onAuth: ({ username }, _session, done) =>
      isCorrected ? done(null, { user: username }) : done(new Error("no")),
    onMailFrom: (_address, session, done) => done(session.user ? null : refusal(550, "not your domain")),
  });
  const anonymous = createTestMailer(store, smtp.url);
  const signedIn = createTestMailer(store, smtp.url.replace("//", "//sotto:hunter2hunter2@"));
  await anonymous.enqueue("noor@example.com");
  await anonymous.mailer.sweep();
  signedIn.clock.time += MINUTE_MS;
  await signedIn.mailer.sweep();
  assert.deepEqual(await listKeys(store), ["mail"]);
  isCorrected = true;
  signedIn.clock.time += HOUR_MS;
  await signedIn.mailer.sweep();
  assert.equal(smtp.received.length, 1);
  const logged = JSON.stringify([anonymous.log.lines, signedIn.log.lines]);
  assert.match(logged, /EENVELOPE MAIL FROM 550.*EAUTH AUTH PLAIN 535/);
  assert.doesNotMatch(logged, /hunter2/);
});

Deno.test("the log contains ids and codes, never an address, a text or a secret", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp(refuseReceivers(2, 450));
  const { mailer, clock, log, enqueue } = createTestMailer(store, smtp.url);
  const hasty = createTestMailer(store, "smtp://sotto:hunter2hunter2@127.0.0.1:1");
  const blocked = createTestMailer(store, null, "/dev/null/noor@example.com");
  for (const each of [hasty, blocked, { mailer, clock, log }]) {
    await enqueue("noor@example.com");
    await each.mailer.sweep();
    const text = JSON.stringify(each.log.lines);
    assert.ok(each.log.lines.length > 0);
    assert.doesNotMatch(text, /noor|example|@|s3cretk3y|Acme|hunter2/i);
    for (const { fields } of each.log.lines) {
      assert.deepEqual(Object.keys(fields).sort(), ["attempts", "mail", "reason"]);
    }
  }
});

Deno.test("two mailers on one store send each of 100 mails once", async () => {
  await using folder = await createTestFolder();
  using store = await openSottoStore(`${folder.path}/sotto.kv`);
  using again = await openSottoStore(`${folder.path}/sotto.kv`);
  const mailDir = `${folder.path}/mail`;
  const one = createTestMailer(store, null, mailDir);
  const two = createTestMailer(again, null, mailDir);
  for (let at = 0; at < 100; at++) await one.enqueue(`user${at}@example.com`);
  await Promise.all([one.mailer.sweep(), two.mailer.sweep()]);
  const receivers = await listReceivers(mailDir);
  assert.deepEqual([receivers.length, new Set(receivers).size], [100, 100]);
  assert.equal(await one.mailer.pending(), 0);
  assert.deepEqual([...one.log.lines, ...two.log.lines], []);
});
