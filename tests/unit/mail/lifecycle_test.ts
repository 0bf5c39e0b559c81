import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { SMTPServerOptions } from "smtp-server";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { LEASE_MS, type Mailer } from "@/lib/mail/mailer.ts";
import { createTestFolder, openTestStore } from "@/tests/helpers/store.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import {
  createGate,
  createTestClock,
  createTestMailer,
  type Gate,
  startSmtp,
} from "@/tests/casts/mail_cast.ts";

/** Returns options of a server that accepts no recipient before the gate is open. */
function waitAtGate(gate: Gate): SMTPServerOptions {
  return { onRcptTo: (_address, _session, done) => void gate.pass().then(() => done()) };
}

/** Waits until no mail is left in the store. */
async function untilSent(mailer: Mailer): Promise<void> {
  await waitFor("no mail is left in the store", () => mailer.pending(), { isMet: (count) => count === 0 });
}

/** Starts a process that enqueues one mail and sends it. */
function spawnSender(location: string, smtpUrl: string): Deno.ChildProcess {
  const script = fileURLToPath(new URL("sending_process.ts", import.meta.url));
  const time = String(createTestClock().time);
  const args = ["run", "-A", "--quiet", "--no-check", script, location, smtpUrl, time];
  return new Deno.Command(Deno.execPath(), { args, stdin: "null" }).spawn();
}

Deno.test("start() sends queued mails, and wake() later ones", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp();
  const { mailer, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  mailer.start();
  await untilSent(mailer);
  await enqueue("ines@example.org");
  mailer.wake();
  await untilSent(mailer);
  assert.deepEqual(smtp.received.flatMap(({ recipients: receivers }) => receivers), [
    "noor@example.com",
    "ines@example.org",
  ]);
  await mailer.stop();
});

Deno.test("wake() sends nothing before start()", async () => {
  using store = await openTestStore();
  await using smtp = await startSmtp();
  const { mailer, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  mailer.wake();
  assert.equal(await mailer.pending(), 1);
  await mailer.sweep();
  assert.equal(smtp.received.length, 1);
});

Deno.test("sweep() waits for mails enqueued while another was in flight", async () => {
  using store = await openTestStore();
  const gate = createGate();
  await using smtp = await startSmtp(waitAtGate(gate));
  const { mailer, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  const first = mailer.sweep();
  await gate.reached;
  await enqueue("ines@example.org");
  const second = mailer.sweep();
  gate.open();
  await Promise.all([first, second]);
  assert.equal(smtp.received.length, 2);
});

Deno.test("stop() finishes the mail in flight and leaves the others in the store", async () => {
  using store = await openTestStore();
  const gate = createGate();
  await using smtp = await startSmtp(waitAtGate(gate));
  const { mailer, clock, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  clock.time++;
  await enqueue("ines@example.org");
  mailer.start();
  await gate.reached;
  const stopped = mailer.stop();
  gate.open();
  await stopped;
  assert.deepEqual(smtp.received.flatMap(({ recipients: receivers }) => receivers), ["noor@example.com"]);
  mailer.start();
  mailer.wake();
  await mailer.sweep();
  assert.equal(await mailer.pending(), 1);
});

Deno.test("a mailer whose store fails reports it and loses no mail", async () => {
  const { path, ...folder } = await createTestFolder();
  await using _ = { [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
  await using smtp = await startSmtp();
  const store = await openSottoStore(`${path}/sotto.kv`);
  const { mailer, log, enqueue } = createTestMailer(store, smtp.url);
  await enqueue("noor@example.com");
  store[Symbol.dispose]();
  await mailer.sweep();
  assert.deepEqual(log.lines.map(({ level }) => level), ["warn"]);
  using again = await openSottoStore(`${path}/sotto.kv`);
  await createTestMailer(again, smtp.url).mailer.sweep();
  assert.equal(smtp.received.length, 1);
});

Deno.test("a mail is sent by another process after the lease if the first one was killed", async () => {
  await using folder = await createTestFolder();
  const location = `${folder.path}/sotto.kv`;
  const gate = createGate();
  await using smtp = await startSmtp(waitAtGate(gate));
  const child = spawnSender(location, smtp.url);
  await gate.reached;
  child.kill("SIGKILL");
  assert.equal((await child.status).signal, "SIGKILL");
  gate.open();

  using store = await openSottoStore(location);
  const { mailer, clock } = createTestMailer(store, smtp.url);
  clock.time += LEASE_MS - 1;
  await mailer.sweep();
  assert.deepEqual([smtp.received.length, await mailer.pending()], [0, 1]);
  clock.time += 1;
  await mailer.sweep();
  assert.deepEqual([smtp.received.length, await mailer.pending()], [1, 0]);
});

Deno.test("a started mailer finishes its mail and does not keep the process alive", async () => {
  await using folder = await createTestFolder();
  await using smtp = await startSmtp();
  const status = await spawnSender(`${folder.path}/sotto.kv`, smtp.url).status;
  assert.equal(status.code, 0);
  assert.equal(smtp.received.length, 1);
});
