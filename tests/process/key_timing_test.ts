import assert from "node:assert/strict";
import { createChatApp } from "@/lib/chat/create_app.ts";
import { createRealm } from "@/lib/chat/organizations/create.ts";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { openSottoStore } from "@/lib/kv/sotto_store.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { makeTestFolder } from "@/tests/helpers/store.ts";

const KNOWN = "owner@example.com";
const UNKNOWN = "nobody@example.com";
const SAMPLES = 1500;
/** Requests under way at the same time: refusals wait a little, and the machine need not. */
const LANES = 4;
const TRIES = 3;
/** Three times what chance alone makes of so many samples. */
const TOLERANCE = 0.03;

/** Milliseconds that a request of each kind took. */
interface Durations {
  readonly known: number[];
  readonly unknown: number[];
}

/** Makes an organization whose owner has a password, in a store that a server is started on afterwards. */
async function seed(path: string): Promise<void> {
  using store = await openSottoStore(path);
  const chat = createChatApp({
    store,
    clock: systemClock,
    config: readConfig({}),
    passwords: createPasswordHasher(),
    secretKey: new Uint8Array(32),
    pokeMailer: () => {},
  });
  await createRealm(chat, {
    name: "Timed",
    subdomain: "",
    ownerEmail: KNOWN,
    ownerName: "Owner",
    ownerPassword: "a quiet garden wall",
  });
}

/** Alternates, and swaps who comes first, so that both kinds meet the same moments of a busy machine. */
async function measure(
  samples: number,
  ask: (address: string) => Promise<void>,
  lanes = 1,
): Promise<Durations> {
  const durations: Durations = { known: [], unknown: [] };
  const time = async (kind: keyof Durations) => {
    const started = performance.now();
    await ask(kind === "known" ? KNOWN : UNKNOWN);
    durations[kind].push(performance.now() - started);
  };
  let at = 0;
  const run = async () => {
    while (at < samples) {
      const first = at++ % 2 === 0 ? "known" : "unknown";
      await time(first);
      await time(first === "known" ? "unknown" : "known");
    }
  };
  await Promise.all(Array.from({ length: lanes }, run));
  return durations;
}

/** How likely a known address takes longer than an unknown one: a half where nobody can tell them apart. */
function likelihood({ known, unknown }: Durations): number {
  const ranked = [
    ...known.map((ms) => ({ ms, isKnown: true })),
    ...unknown.map((ms) => ({ ms, isKnown: false })),
  ].sort((one, other) => one.ms - other.ms);
  const ranks = ranked.reduce((sum, { isKnown }, at) => sum + (isKnown ? at + 1 : 0), 0);
  return (ranks - known.length * (known.length + 1) / 2) / (known.length * unknown.length);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

async function startSeeded(folder: string): Promise<TestServer> {
  await seed(`${folder}/sotto.kv`);
  return await TestServer.start({ folder, isLogKept: false });
}

Deno.test("the time of a refusal does not tell a wrong key from an address that nobody has", async () => {
  await using folder = await makeTestFolder();
  await using server = await startSeeded(folder.path);
  const ask = async (address: string) => {
    const headers = { authorization: `Basic ${btoa(`${address}:${"x".repeat(32)}`)}` };
    const response = await server.fetch("/api/v1/users/me", { headers });
    assert.equal(response.status, 401);
    await response.arrayBuffer();
  };
  await measure(300, ask, LANES);
  const found: number[] = [];
  while (found.length < TRIES && !found.some((p) => Math.abs(p - 0.5) < TOLERANCE)) {
    found.push(likelihood(await measure(SAMPLES, ask, LANES)));
  }
  assert.ok(found.some((p) => Math.abs(p - 0.5) < TOLERANCE), `a known address was slower in ${found}`);
});

Deno.test("a wrong password and an address that nobody has cost the same hash", async () => {
  await using folder = await makeTestFolder();
  await using server = await startSeeded(folder.path);
  const ask = async (username: string) => {
    const body = new URLSearchParams({ username, password: "wrong" });
    const response = await server.fetch("/api/v1/fetch_api_key", { method: "POST", body });
    assert.deepEqual([response.status, (await response.json()).code], [401, "AUTHENTICATION_FAILED"]);
  };
  const { known, unknown } = await measure(8, ask);
  // A hash takes a hundred times what everything else does, so one that is left out shows through any noise.
  const ratio = median(known) / median(unknown);
  assert.ok(ratio > 1 / 3 && ratio < 3, `a known address took ${ratio} times as long`);
});
