import assert from "node:assert/strict";
import { createChatApp } from "@/lib/chat/register/create_app.ts";
import { createRealm } from "@/lib/chat/people/users/create_realm.ts";
import { readConfig } from "@/lib/config.ts";
import { systemClock } from "@/lib/core/clock.ts";
import { createPasswordHasher } from "@/lib/core/password.ts";
import { openSottoStore } from "@/lib/services/sotto_store.ts";
import { compareMedians, measureMs } from "@/tests/helpers/measure.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { createTestFolder } from "@/tests/helpers/store.ts";

const KNOWN = "owner@example.com";
const UNKNOWN = "nobody@example.com";
const SAMPLES = 1500;
/** Requests in flight at the same time: refusals wait a little, and the machine need not. */
const LANES = 4;
const ROUNDS = 5;
/** Three times the deviation that chance alone causes with so many samples. */
const TOLERANCE = 0.03;

/** Milliseconds that the requests of each kind took. */
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
    wakeMailer: () => {},
  });
  await createRealm(chat, {
    name: "Timed",
    subdomain: "",
    ownerEmail: KNOWN,
    ownerName: "Owner",
    ownerPassword: "a quiet garden wall",
  });
}

/** Alternates, and swaps which kind comes first, so that both meet the same moments of a busy machine. */
async function measure(samples: number, ask: (address: string) => Promise<void>): Promise<Durations> {
  const durations: Durations = { known: [], unknown: [] };
  const time = async (kind: keyof Durations) => {
    durations[kind].push(await measureMs(() => ask(kind === "known" ? KNOWN : UNKNOWN)));
  };
  let at = 0;
  const run = async () => {
    while (at < samples) {
      const first = at++ % 2 === 0 ? "known" : "unknown";
      await time(first);
      await time(first === "known" ? "unknown" : "known");
    }
  };
  await Promise.all(Array.from({ length: LANES }, run));
  return durations;
}

/** Probability that a known address takes longer than an unknown one: 0.5 where time shows no difference. */
function likelihood({ known, unknown }: Durations): number {
  const ranked = [
    ...known.map((ms) => ({ ms, isKnown: true })),
    ...unknown.map((ms) => ({ ms, isKnown: false })),
  ].sort((one, other) => one.ms - other.ms);
  const ranks = ranked.reduce((sum, { isKnown }, at) => sum + (isKnown ? at + 1 : 0), 0);
  return (ranks - known.length * (known.length + 1) / 2) / (known.length * unknown.length);
}

Deno.test("the time of a refusal does not reveal whether an address is known", async (t) => {
  await using folder = await createTestFolder();
  await seed(`${folder.path}/sotto.kv`);
  await using server = await TestServer.start({ folder: folder.path, isLogKept: false });
  await t.step("a wrong key is refused as fast as an unknown address", () => compareKeys(server));
  await t.step("a wrong password and an unknown address cost the same hash", () => comparePasswords(server));
});

async function compareKeys(server: TestServer): Promise<void> {
  const ask = async (address: string) => {
    const headers = { authorization: `Basic ${btoa(`${address}:${"x".repeat(32)}`)}` };
    const response = await server.fetch("/api/v1/users/me", { headers });
    assert.equal(response.status, 401);
    await response.arrayBuffer();
  };
  await measure(300, ask);
  const isEven = (probability: number) => Math.abs(probability - 0.5) < TOLERANCE;
  const found: number[] = [];
  while (found.length < ROUNDS && !found.some(isEven)) found.push(likelihood(await measure(SAMPLES, ask)));
  assert.ok(found.some(isEven), `Probabilities that a known address is slower: ${found.join(", ")}`);
}

async function comparePasswords(server: TestServer): Promise<void> {
  const ask = async (username: string) => {
    const body = new URLSearchParams({ username, password: "wrong" });
    const response = await server.fetch("/api/v1/fetch_api_key", { method: "POST", body });
    assert.deepEqual([response.status, (await response.json()).code], [401, "AUTHENTICATION_FAILED"]);
  };
  // A hash takes a hundred times what everything else does, so one that is left out shows through any noise.
  const accept = (ratio: number) => ratio > 1 / 3 && ratio < 3;
  await compareMedians(() => ask(KNOWN), () => ask(UNKNOWN), { samples: 3, accept });
}
