import assert from "node:assert/strict";
import { AppError } from "@/lib/core/errors.ts";
import { transact } from "@/lib/store/transact.ts";
import type { Mail } from "@/lib/mail/mail.ts";
import {
  claimMail,
  countWaitingMail,
  enqueueMail,
  giveUpMail,
  listDueMail,
  postponeMail,
  toMailId,
} from "@/lib/mail/queue.ts";
import { openTestStore } from "@/tests/helpers/store.ts";
import { composeInvitation } from "@/tests/casts/mail_cast.ts";

const mail = composeInvitation("noor@example.com");

function mailOfLength(length: number, character = "x"): Mail {
  return { ...mail, html: character.repeat(length) };
}

Deno.test("enqueueMail() stores the mail together with the caller's change", async () => {
  using store = await openTestStore();
  await transact(store, (tx) => {
    tx.set(["invite", 1], "noor");
    enqueueMail(tx, mail, 1000);
    enqueueMail(tx, mail, 1000);
    return Promise.resolve();
  });
  const due = await listDueMail(store, 1000, 10);
  assert.equal(due.length, 2);
  for (const waiting of due) {
    const id = toMailId(waiting);
    assert.match(id, /^[0-9a-f]{32}$/);
    assert.deepEqual(waiting.key, ["mail", 1000, id]);
    assert.deepEqual(waiting.value, { mail, attempts: 0, created_at: 1000 });
  }
  const [first, second] = await Promise.all(
    [["invite", 1], due[0]?.key ?? []].map((key) => store.kv.get(key)),
  );
  assert.equal(first?.versionstamp, second?.versionstamp);
});

Deno.test("enqueueMail() stores nothing when the transaction fails", async () => {
  using store = await openTestStore();
  const failing = transact(store, (tx) => {
    enqueueMail(tx, mail, 1000);
    throw new AppError("BAD_REQUEST", "no");
  });
  await assert.rejects(failing, { code: "BAD_REQUEST" });
  assert.equal(await countWaitingMail(store, 10), 0);
});

Deno.test("enqueueMail() stores one mail when the transaction is retried", async () => {
  using store = await openTestStore();
  let runs = 0;
  await transact(store, async (tx) => {
    await tx.get(["n"]);
    if (runs++ === 0) await store.kv.set(["n"], 1);
    tx.set(["n"], 2);
    enqueueMail(tx, mail, 1000);
  });
  assert.equal(runs, 2);
  assert.equal(await countWaitingMail(store, 10), 1);
});

Deno.test("enqueueMail() refuses a mail that is too large for the store, and accepts one that just fits", async () => {
  using store = await openTestStore();
  const enqueue = (each: Mail) => transact(store, (tx) => Promise.resolve(enqueueMail(tx, each, 1000)));
  for (const character of ["x", "ж"]) {
    let fits = 0;
    for (let step = 65_536; step >= 1; step = Math.floor(step / 2)) {
      const tried = enqueue(mailOfLength(fits + step, character));
      fits += await tried.then(() => step, (error) => (assert.equal(error.code, "BAD_REQUEST"), 0));
    }
    assert.ok(fits > 30_000);
  }
  // The fields added when a mail is given up fit as well.
  for (const waiting of await listDueMail(store, 1000, 100)) {
    assert.ok(
      await giveUpMail(store, waiting, { failed_at: 2000, reason: "EENVELOPE RCPT TO 550".repeat(5) }),
    );
  }
});

Deno.test("listDueMail() returns due mails, oldest first", async () => {
  using store = await openTestStore();
  for (const due of [3000, 1000, 2000, 4000]) {
    await transact(store, (tx) => Promise.resolve(enqueueMail(tx, mail, due)));
  }
  const times = async (now: number, limit: number) =>
    (await listDueMail(store, now, limit)).map(({ value }) => value.created_at);
  assert.deepEqual(await times(3000, 10), [1000, 2000, 3000]);
  assert.deepEqual(await times(3000, 2), [1000, 2000]);
  assert.deepEqual(await times(999, 10), []);
  assert.equal(await countWaitingMail(store, 10), 4);
  assert.equal(await countWaitingMail(store, 3), 3);
});

Deno.test("claimMail() leases a mail to one process until the lease ends", async () => {
  using store = await openTestStore();
  await transact(store, (tx) => Promise.resolve(enqueueMail(tx, mail, 1000)));
  const [waiting] = await listDueMail(store, 1000, 1);
  assert.ok(waiting);
  const claims = await Promise.all([5000, 6000, 7000].map((end) => claimMail(store, waiting, end)));
  const [claimed, ...others] = claims.filter((claim) => claim !== null);
  assert.ok(claimed);
  assert.equal(others.length, 0);
  assert.deepEqual(await listDueMail(store, 4999, 1), []);

  const [late] = await listDueMail(store, 7000, 1);
  assert.ok(late);
  assert.ok(await claimMail(store, late, 9000));
  assert.equal(await postponeMail(store, claimed, 8000), false);
  assert.equal(await giveUpMail(store, claimed, { failed_at: 7000, reason: "EENVELOPE" }), false);
  assert.equal(await countWaitingMail(store, 10), 1);
});
