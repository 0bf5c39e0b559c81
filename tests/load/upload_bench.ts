import { readBlob, writeBlob } from "@/lib/store/blob.ts";
import { openStore, type Store } from "@/lib/store/open.ts";
import type { TestServer } from "../helpers/server.ts";
import { measurePeakGrowth } from "../helpers/peak_memory.ts";
import { seedChat } from "./chat_seeding.ts";
import { startSotto } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toPlainRow } from "./table.ts";
import { medianOf } from "./wrk.ts";

const MIB = 1024 * 1024;
const FILE_MIB = 10;
/** Numbers of files at once, with rounds enough that the median does not depend on a few of them. */
const LOADS = [{ count: 1, rounds: 21 }, { count: 20, rounds: 5 }] as const;
/** Files at once whose memory is measured, and their size. */
const MANY = { files: 100, mib: 20 } as const;

/** Files going in and out, alone and many at once, beside a bare copy of the same bytes through the store. */
export async function measureUploads(stores: Stores): Promise<Row[]> {
  printLine("measuring: uploads and downloads …");
  const path = stores.empty();
  const { members } = await seedChat(path);
  const authorization = members[0]?.authorization ?? "";
  await using server = await startSotto(path);
  using bare = await openStore(stores.empty());
  const rows: Row[] = [];
  for (const load of LOADS) rows.push(...await measureAt({ server, bare, authorization }, load));
  rows.push(await measureMany(stores));
  return rows;
}

/** Memory of a server for many uploads at once, its first ones. */
async function measureMany(stores: Stores): Promise<Row> {
  const { files, mib } = MANY;
  printLine(`measuring: memory for ${files} uploads …`);
  const path = stores.empty();
  const { members } = await seedChat(path);
  await using server = await startSotto(path);
  const bytes = new Uint8Array(mib * MIB);
  const growth = await measurePeakGrowth(server.pid, async () => {
    const authorizations = Array.from(
      { length: files },
      (_, at) => members[at % members.length]?.authorization,
    );
    await Promise.all(authorizations.map((authorization = "") => upload(server, authorization, bytes)));
  });
  return toPlainRow(
    `memory above before, ${files} of ${mib} MiB at once`,
    `${Math.round(growth / MIB)} MiB`,
    "< 100 MiB",
  );
}

interface Setting {
  readonly server: TestServer;
  readonly bare: Store;
  readonly authorization: string;
}

/** MiB a second of each round, in and out of the bare store and the server. */
type Rates = Record<"bareIn" | "in" | "bareOut" | "out", number[]>;

async function measureAt(
  { server, bare, authorization }: Setting,
  { count, rounds }: (typeof LOADS)[number],
): Promise<Row[]> {
  const bytes = new Uint8Array(FILE_MIB * MIB);
  const rates: Rates = { bareIn: [], in: [], bareOut: [], out: [] };
  const each = (work: (at: number) => Promise<unknown>) => rateOf(count, work);
  // In turns, so that whatever else the machine does affects all of them.
  const growth = await measurePeakGrowth(server.pid, async () => {
    for (let round = 0; round < rounds; round++) {
      const key = (at: number) => ["bench", count, round, at];
      rates.bareIn[round] = await each((at) => writeBlob(bare, key(at), pieces(bytes)));
      const urls: string[] = [];
      rates.in[round] = await each(async () => urls.push(await upload(server, authorization, bytes)));
      const range = { start: 0, end: bytes.length };
      rates.bareOut[round] = await each((at) => drain(readBlob(bare.kv, key(at), range)));
      const init = { headers: { authorization } };
      rates.out[round] = await each(async (at) => drain((await server.fetch(urls[at] ?? "", init)).body));
    }
  });
  const what = `${count} of ${FILE_MIB} MiB at once`;
  return [
    toRow(`bare write, ${what}`, rates.bareIn, rates.bareIn, ""),
    toRow(`POST /user_uploads, ${what}`, rates.in, rates.bareIn, "≥ 0.7"),
    toRow(`bare read, ${what}`, rates.bareOut, rates.bareOut, ""),
    toRow(`GET /user_uploads, ${what}`, rates.out, rates.bareOut, "≥ 0.6"),
    toPlainRow(`memory above before, ${what}`, `${Math.round(growth / MIB)} MiB`, ""),
  ];
}

/** Returns the medians of the rounds and of their ratios. */
function toRow(what: string, rates: readonly number[], bare: readonly number[], aim: string): Row {
  const ratio = medianOf(rates.map((rate, round) => rate / (bare[round] ?? NaN)));
  return { ...toPlainRow(what, `${Math.round(medianOf(rates))} MiB/s`, aim), ratio: ratio.toFixed(2) };
}

/** MiB in a second when so many files go at once. */
async function rateOf(count: number, work: (at: number) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: count }, (_, at) => work(at)));
  return count * FILE_MIB / (performance.now() - start) * 1000;
}

async function upload(
  server: TestServer,
  authorization: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const body = new FormData();
  body.append("file", new Blob([bytes]), "bench.bin");
  const init = { method: "POST", headers: { authorization }, body };
  const response = await server.fetch("/api/v1/user_uploads", init);
  const answer = await response.json();
  if (!response.ok) throw new Error(`POST /user_uploads: ${response.status} ${answer.msg}`);
  return answer.url;
}

async function drain(content: ReadableStream<Uint8Array> | null): Promise<void> {
  let size = 0;
  for await (const piece of content ?? []) size += piece.length;
  if (size !== FILE_MIB * MIB) throw new Error(`${size} bytes came`);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
}
