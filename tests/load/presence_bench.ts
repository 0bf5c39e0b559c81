import { presenceKeys, type PresenceRecord } from "@/lib/chat/people/presence/model.ts";
import { realmKeys } from "@/lib/chat/organization/organizations/model.ts";
import { userKeys, type UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Kv } from "@/lib/store/kv.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { TestServer } from "../helpers/server.ts";
import { callSotto } from "./call.ts";
import { type ChatPeople, type LoadUser, seedChat } from "./chat_seeding.ts";
import { startSotto } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";
import { medianOf } from "./wrk.ts";

/** People of the organization who were there lately. */
const PEOPLE = 10_000;
const FIRST_ID = 1_000_000;
/** Records in one commit. */
const COMMIT = 250;
const ROUNDS = 15;
const MIB = 1024 * 1024;

/**
 * Measures the presence of 10,000 people beside bare reads of their records, and reports that cause events.
 */
export async function measurePresence(stores: Stores): Promise<Row[]> {
  printLine("measuring: presence of 10,000 people …");
  const path = stores.empty();
  const people = await seedChat(path);
  const realmId = await seedPresence(path, people);
  await using server = await startSotto(path);
  using kv = await Deno.openKv(path);
  const before = server.residentBytes();
  const times: Times = { bare: [], bareBoth: [], whole: [], changes: [], peak: before };
  for (let round = 0; round < ROUNDS; round++) {
    await measureRound({ kv, realmId, server, people, times, round });
  }
  return toRows(times, before);
}

interface Times {
  readonly bare: number[];
  readonly bareBoth: number[];
  readonly whole: number[];
  readonly changes: number[];
  peak: number;
}

interface Round {
  readonly kv: Kv;
  readonly realmId: number;
  readonly server: TestServer;
  readonly people: ChatPeople;
  readonly times: Times;
  readonly round: number;
}

async function measureRound({ kv, realmId, server, people, times, round }: Round): Promise<void> {
  const presences = presenceKeys.presences(realmId);
  times.bare.push(await timeOf(() => listAll(kv, presences)));
  times.bareBoth.push(
    await timeOf(() => Promise.all([listAll(kv, presences), listAll(kv, userKeys.users(realmId))])),
  );
  times.whole.push(
    await timeOf(async () => {
      const call = { user: people.members[0], method: "GET", path: "/api/v1/realm/presence" };
      const { presences: shown } = await callSotto(server, call);
      if (Object.keys(shown ?? {}).length < PEOPLE) throw new Error("A user is missing");
    }),
  );
  times.peak = Math.max(times.peak, server.residentBytes());
  times.changes.push(await timeOf(() => report(server, people.members[round])));
}

async function report(server: TestServer, user: LoadUser | undefined): Promise<void> {
  const form = { status: "active", last_update_id: String(PEOPLE) };
  await callSotto(server, { user, method: "POST", path: "/api/v1/users/me/presence", form });
}

function toRows({ bare, bareBoth, whole, changes, peak }: Times, before: number): Row[] {
  const what = "GET /realm/presence, 10,000 people";
  const ratio = (of: readonly number[]) => (medianOf(whole) / medianOf(of)).toFixed(2);
  return [
    toPlainRow("bare list of 10,000 presences", toMs(bare), ""),
    toPlainRow("bare lists of 10,000 presences and accounts", toMs(bareBoth), ""),
    toPlainRow(what, toMs(whole), ""),
    toPlainRow(`${what}: times the bare list`, ratio(bare), ""),
    toPlainRow(`${what}: times the bare lists`, ratio(bareBoth), "≤ 2"),
    toPlainRow(`${what}: memory above before`, `${Math.round((peak - before) / MIB)} MB`, "< 200 MB"),
    toPlainRow("POST /users/me/presence, few changes of 10,000 people", toMs(changes), ""),
  ];
}

function toMs(times: readonly number[]): string {
  return `${medianOf(times).toFixed(1)} ms`;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function listAll(kv: Kv, prefix: Deno.KvKey): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of kv.list({ prefix }, { batchSize: 500 })) values.push(value);
  return values;
}

/** Adds people who were there, each as a member of the seeded organization; gives the organization's id. */
async function seedPresence(path: string, { members }: ChatPeople): Promise<number> {
  using kv = await Deno.openKv(path);
  const realmId = await readRecord<number>(kv, realmKeys.bySubdomain("")) ?? 0;
  const model = await readRecord<UserRecord>(kv, userKeys.user(realmId, members[0]?.id ?? 0));
  if (model === null) throw new Error("There are no members");
  const now = Date.now();
  for (let from = 1; from <= PEOPLE; from += COMMIT) {
    const atomic = kv.atomic();
    for (let number = from; number < from + COMMIT; number++) {
      const id = FIRST_ID + number;
      const user = { ...model, id, delivery_email: `person${number}@example.com` };
      const times = { last_active: now - number, last_connected: now, update_id: number };
      atomic.set(userKeys.user(realmId, id), user)
        .set(presenceKeys.presence(realmId, id), { user_id: id, ...times } satisfies PresenceRecord)
        .set(presenceKeys.update(realmId, number), id);
    }
    await atomic.commit();
  }
  await kv.set(presenceKeys.head, PEOPLE);
  return realmId;
}
