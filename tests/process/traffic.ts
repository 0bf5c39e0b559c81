import { strict as assert } from "node:assert";
import { settled } from "@/tests/helpers/wait.ts";
import type { TestServer } from "@/tests/helpers/server.ts";

/** Milliseconds after which a request counts as never answered. */
const REQUEST_GIVE_UP_MS = 60_000;

/** Numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number;

/** Visits of one short URL, as clients know them. */
interface Account {
  /** Visits that were sent, answered or not, since the last comparison. */
  sent: number;
  /** Visits that were answered since the last comparison. */
  acknowledged: number;
  /** Visits that were listed at the last comparison. */
  listed: number;
}

/** Seed of this run: TEST_SEED, or a random one that a failing test prints. */
export function readSeed(): number {
  return Number(Deno.env.get("TEST_SEED") ?? Math.floor(Math.random() * 0xffffffff));
}

/** Returns the number of rounds of a test: this one, multiplied by TEST_RUNS. */
export function readRounds(rounds: number): number {
  return rounds * Number(Deno.env.get("TEST_RUNS") ?? 1);
}

/** Returns a generator of random numbers (mulberry32) with which a failing test can be repeated. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/** Requests that clients sent to servers on one store, and the responses. */
export class Ledger {
  /** Long URL by acknowledged short. */
  readonly links = new Map<string, string>();
  readonly #accounts = new Map<string, Account>();
  readonly #touched = new Set<string>();
  readonly #milestones: Milestone[] = [];
  readonly #allowsUnavailable: boolean;
  #unavailable = 0;
  #linksSent = 0;
  #acknowledgedVisits = 0;
  /** Responses that are neither the expected ones nor the loss of the connection. */
  readonly surprises: string[] = [];

  /** With `allowsUnavailable`, a request that is answered 503 counts as one without an answer. */
  constructor({ allowsUnavailable = false } = {}) {
    this.#allowsUnavailable = allowsUnavailable;
  }

  /** Visits acknowledged so far, over all shorts. */
  get acknowledgedVisits(): number {
    return this.#acknowledgedVisits;
  }

  /** Operations acknowledged so far: links and visits. */
  get acknowledged(): number {
    return this.links.size + this.#acknowledgedVisits;
  }

  /** Number of requests that were answered 503, where these are allowed. */
  get unavailable(): number {
    return this.#unavailable;
  }

  /** Settles at the moment at which `count` more operations are acknowledged. */
  untilAcknowledged(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#milestones.push({ at: this.acknowledged + count, reach: resolve });
    return promise;
  }

  /** Shortens a new URL; null when no response came. */
  async shorten(base: string): Promise<string | null> {
    const url = `https://example.com/${++this.#linksSent}?q=\u00e9`;
    const body = JSON.stringify({ url });
    const response = await ask(`${base}/`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    if (response === null) return null;
    if (this.#isRefused(response)) return null;
    if (response.status !== 201) return this.#surprise("shorten", response);
    const { short }: { short: string } = JSON.parse(response.text);
    if (this.links.has(short)) this.surprises.push(`${encodeURIComponent(short)} was issued twice`);
    this.links.set(short, url);
    this.#accounts.set(short, { sent: 0, acknowledged: 0, listed: 0 });
    this.#touched.add(short);
    this.#passMilestones();
    return short;
  }

  /** Resolves a short and counts a visit; false when no response came. */
  async visit(base: string, short: string): Promise<boolean> {
    const account = this.#accounts.get(short);
    assert.ok(account);
    account.sent++;
    this.#touched.add(short);
    const response = await ask(`${base}/${encodeURIComponent(short)}`);
    if (response === null) return false;
    if (this.#isRefused(response)) return false;
    if (response.status !== 200) return this.#surprise("resolve", response) !== null;
    account.acknowledged++;
    this.#acknowledgedVisits++;
    if (JSON.parse(response.text).url !== this.links.get(short)) {
      this.surprises.push(`wrong target: ${response.text}`);
    }
    this.#passMilestones();
    return true;
  }

  /**
   * Compares a server's store with the acknowledged operations: the shorts used since the last comparison, or
   * all. The next comparison starts from the visits that are listed now.
   */
  async verify(base: string, scope: "touched" | "all"): Promise<void> {
    assert.deepEqual(this.surprises, []);
    const shorts = scope === "all" ? [...this.links.keys()] : [...this.#touched];
    const pending = shorts[Symbol.iterator]();
    await Promise.all(Array.from({ length: 16 }, async () => {
      for (const short of pending) await this.#verifyLink(base, short);
    }));
    this.#touched.clear();
    const stats: { urls: number; visits: number } = JSON.parse(await askFor200(`${base}/stats`));
    const listed = this.#accounts.values().reduce((sum, account) => sum + account.listed, 0);
    assert.equal(stats.visits, listed, "/stats counts what all lists hold");
    assert.ok(
      stats.urls >= this.links.size,
      `${this.links.size} links were acknowledged, ${stats.urls} are stored`,
    );
    assert.ok(
      stats.urls <= this.#linksSent,
      `${this.#linksSent} links were asked for, ${stats.urls} are stored`,
    );
  }

  async #verifyLink(base: string, short: string): Promise<void> {
    const path = `${base}/${encodeURIComponent(short)}`;
    const account = this.#accounts.get(short);
    assert.ok(account);
    const target: { url: string } = JSON.parse(await askFor200(`${path}?visit=false`));
    assert.equal(target.url, this.links.get(short), "an acknowledged short leads to its URL");
    const stats: { visits: string[] } = JSON.parse(await askFor200(`${path}/stats`));
    const { length } = stats.visits;
    const sorted = [...stats.visits].sort();
    assert.deepEqual(stats.visits, sorted, "visits are listed oldest first");
    assert.ok(length >= account.listed + account.acknowledged, lossOf(account, length));
    assert.ok(length <= account.listed + account.sent, lossOf(account, length));
    // Visits that were in flight are either stored by now or never will be.
    Object.assign(account, { listed: length, sent: 0, acknowledged: 0 });
  }

  #passMilestones(): void {
    while ((this.#milestones[0]?.at ?? Infinity) <= this.acknowledged) this.#milestones.shift()?.reach();
  }

  #isRefused({ status }: Reply): boolean {
    const isRefused = this.#allowsUnavailable && status === 503;
    if (isRefused) this.#unavailable++;
    return isRefused;
  }

  #surprise(what: string, { status, text }: Reply): null {
    this.surprises.push(`${what}: ${status} ${text.slice(0, 200)}`);
    return null;
  }
}

/** Number of acknowledged operations at which a test goes on. */
interface Milestone {
  readonly at: number;
  readonly reach: () => void;
}

/** Load on a server until it ends. */
export interface Load {
  readonly ledger: Ledger;
  readonly random: Random;
  readonly clients: number;
  /** Acknowledged operations after which the server is ended. */
  readonly operations: number;
}

/** Puts a server under load, ends it with `end` after a number of operations, and waits for all clients. */
export async function endUnderLoad(
  server: TestServer,
  { ledger, random, clients, operations }: Load,
  end: () => Promise<unknown>,
): Promise<void> {
  const explain = () => `${ledger.surprises.join("\n")}\n${server.output}\n${server.errors}`;
  const target = ledger.acknowledged + operations;
  const reached = ledger.untilAcknowledged(operations);
  const running = Promise.all(
    Array.from({ length: clients }, () => runClient(ledger, [server.url], random, () => false)),
  );
  await settled(`${operations} operations are acknowledged`, Promise.race([reached, running]), { explain });
  assert.ok(ledger.acknowledged >= target, `The clients ended early.\n${explain()}`);
  await end();
  await settled("all clients lose their connection", running, { explain });
}

/** Shortens and resolves, mostly one hot short, until the connection is lost or `isObsolete` is true. */
export async function runClient(
  ledger: Ledger,
  bases: readonly string[],
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  const own: string[] = [];
  while (!isOver()) {
    const base = bases[Math.floor(random() * bases.length)] ?? "";
    const hot = ledger.links.keys().next().value;
    const { unavailable } = ledger;
    let isAnswered: boolean;
    if (hot === undefined || random() < 0.25) {
      const short = await ledger.shorten(base);
      if (short !== null) own.push(short);
      isAnswered = short !== null;
    } else {
      const short = random() < 0.6 ? hot : own[Math.floor(random() * own.length)] ?? hot;
      isAnswered = await ledger.visit(base, short);
    }
    // A client that lost its connection while others were answered 503 finds out with its next request.
    if (!isAnswered && ledger.unavailable === unavailable) return;
  }
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends a request; null when the connection was lost before the whole response came. */
async function ask(url: string, init: RequestInit = {}): Promise<Reply | null> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(REQUEST_GIVE_UP_MS),
      redirect: "manual",
      ...init,
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") throw error;
    return null;
  }
}

async function askFor200(url: string): Promise<string> {
  const reply = await ask(url);
  assert.equal(reply?.status, 200, `${url}: ${reply?.text.slice(0, 200)}`);
  return reply?.text ?? "";
}

function lossOf({ listed, sent, acknowledged }: Account, found: number): string {
  return `${found} visits are listed; ${listed} were, then ${acknowledged} of ${sent} were acknowledged`;
}
