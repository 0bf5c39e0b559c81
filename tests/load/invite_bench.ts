import { measureMs } from "../helpers/measure.ts";
import { measurePeakGrowth } from "../helpers/peak_memory.ts";
import { callSotto } from "./call.ts";
import { seedChat } from "./chat_seeding.ts";
import { startSotto } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";
import { medianOf } from "./wrk.ts";

/** Addresses of one request. */
const ADDRESSES = 1000;
const REPEATS = 5;
const MIB = 1024 * 1024;
/** Minimum work of the store: commits, and small records in each. */
const COMMITS = { staging: 4, offer: 1, mails: 20 };
const RECORDS = { staging: 500, offer: 5, mails: 50 };
/** About what a mail takes as a record. */
const MAIL_BYTES = 2500;

/** Inviting many addresses with one request, beside the bare commits of as many records. */
export async function measureInvites(stores: Stores): Promise<Row[]> {
  printLine(`measuring: POST /invites, ${ADDRESSES} addresses …`);
  const bare = await bareTime(stores.empty());
  const path = stores.empty();
  const { owner } = await seedChat(path);
  await using sotto = await startSotto(path);
  const invite = (repeat: number) => {
    const form = { invitee_emails: toList(repeat), stream_ids: "[]" };
    return callSotto(sotto, { user: owner, method: "POST", path: "/api/v1/invites", form });
  };
  const times: number[] = [];
  // Later ones run beside the sending of the mails.
  const growth = await measurePeakGrowth(sotto.pid, async () => times.push(await measureMs(() => invite(0))));
  for (let repeat = 1; repeat < REPEATS; repeat++) times.push(await measureMs(() => invite(repeat)));
  const time = medianOf(times);
  const listed = performance.now();
  await callSotto(sotto, { user: owner, method: "GET", path: "/api/v1/invites" });
  const listing = performance.now() - listed;
  const what = `POST /invites, ${ADDRESSES.toLocaleString("en")} addresses`;
  const shown = (REPEATS * ADDRESSES).toLocaleString("en");
  return [
    { ...toPlainRow(`${what}: bare commits of their records`, toMs(bare), ""), ratio: "1" },
    { ...toPlainRow(`${what}: Sotto, mails queued`, toMs(time), "≥ 0.1"), ratio: (bare / time).toFixed(2) },
    toPlainRow(`${what}: memory above before`, toMib(growth), "< 100 MB"),
    toPlainRow(`GET /invites, ${shown} invitations`, toMs(listing), "< 1,000 ms"),
  ];
}

function toList(repeat: number): string {
  return Array.from({ length: ADDRESSES }, (_, at) => `somebody${at}@bench${repeat}.example`).join("\n");
}

/** The middle time of committing as many records, one commit after the other as in one request. */
async function bareTime(path: string): Promise<number> {
  using kv = await Deno.openKv(path);
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const started = performance.now();
    for (const kind of ["staging", "offer", "mails"] as const) {
      const value = kind === "mails" ? "m".repeat(MAIL_BYTES) : { id: 1, email: "somebody@bench.example" };
      for (let commit = 0; commit < COMMITS[kind]; commit++) {
        const atomic = kv.atomic();
        for (let at = 0; at < RECORDS[kind]; at++) atomic.set([repeat, kind, commit, at], value);
        await atomic.commit();
      }
    }
    times.push(performance.now() - started);
  }
  return medianOf(times);
}

function toMs(time: number): string {
  return `${Math.round(time)} ms`;
}

function toMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
