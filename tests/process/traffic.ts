import { strict as assert } from "node:assert";

/** Numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number;

/** What one short URL must hold. */
interface Account {
  /** Visits that were asked for and answered, whether or not the server lived on. */
  sent: number;
  acknowledged: number;
  /** Visits that were listed when it was last looked at. */
  listed: number;
}

/** The seed of this run: TEST_SEED, or one that is drawn and printed by what fails. */
export function readSeed(): number {
  return Number(Deno.env.get("TEST_SEED") ?? Math.floor(Math.random() * 0xffffffff));
}

/** A generator of random numbers (mulberry32) that a failing test can be run with again. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
}

/** Everything that clients asked of servers on one store, and what they were answered. */
export class Ledger {
  /** Long URL by acknowledged short. */
  readonly links = new Map<string, string>();
  readonly #accounts = new Map<string, Account>();
  readonly #touched = new Set<string>();
  #linksSent = 0;
  /** Answers that were neither the wanted ones nor the loss of the connection. */
  readonly surprises: string[] = [];

  /** Shortens a URL of its own; null when the answer did not come. */
  async shorten(base: string): Promise<string | null> {
    const url = `https://example.com/${++this.#linksSent}?q=\u00e9`;
    const body = JSON.stringify({ url });
    const response = await ask(`${base}/`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    if (response === null) return null;
    if (response.status !== 201) return this.#surprise("shorten", response);
    const { short }: { short: string } = JSON.parse(response.text);
    if (this.links.has(short)) this.surprises.push(`${encodeURIComponent(short)} was handed out twice`);
    this.links.set(short, url);
    this.#accounts.set(short, { sent: 0, acknowledged: 0, listed: 0 });
    this.#touched.add(short);
    return short;
  }

  /** Resolves a short and counts a visit; false when the answer did not come. */
  async visit(base: string, short: string): Promise<boolean> {
    const account = this.#accounts.get(short);
    assert.ok(account);
    account.sent++;
    this.#touched.add(short);
    const response = await ask(`${base}/${encodeURIComponent(short)}`);
    if (response === null) return false;
    if (response.status !== 200) return this.#surprise("resolve", response) !== null;
    account.acknowledged++;
    if (JSON.parse(response.text).url !== this.links.get(short)) {
      this.surprises.push(`wrong target: ${response.text}`);
    }
    return true;
  }

  /**
   * Compares a server's store with what was acknowledged: the shorts used since the last comparison, or all; then what
   * is listed is what the next comparison starts from.
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

  /** Visits acknowledged so far, over all shorts. */
  get acknowledgedVisits(): number {
    return this.#accounts.values().reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  async #verifyLink(base: string, short: string): Promise<void> {
    const path = `${base}/${encodeURIComponent(short)}`;
    const account = this.#accounts.get(short);
    assert.ok(account);
    const target: { url: string } = JSON.parse(await askFor200(`${path}?visit=false`));
    assert.equal(target.url, this.links.get(short), "an acknowledged short leads where it was told to");
    const stats: { visits: string[] } = JSON.parse(await askFor200(`${path}/stats`));
    const { length } = stats.visits;
    const sorted = [...stats.visits].sort();
    assert.deepEqual(stats.visits, sorted, "visits are listed oldest first");
    assert.ok(length >= account.listed + account.acknowledged, lossOf(account, length));
    assert.ok(length <= account.listed + account.sent, lossOf(account, length));
    // From here on the store's word counts: what was in flight is either in it by now or never will be.
    Object.assign(account, { listed: length, sent: 0, acknowledged: 0 });
  }

  #surprise(what: string, { status, text }: Reply): null {
    this.surprises.push(`${what}: ${status} ${text.slice(0, 200)}`);
    return null;
  }
}

/** One client: shortens and resolves, mostly one hot short, until the connection is lost or `isOver` says so. */
export async function runClient(
  ledger: Ledger,
  bases: readonly string[],
  random: Random,
  isOver: () => boolean,
) {
  const own: string[] = [];
  while (!isOver()) {
    const base = bases[Math.floor(random() * bases.length)] ?? "";
    const hot = ledger.links.keys().next().value;
    if (hot === undefined || random() < 0.25) {
      const short = await ledger.shorten(base);
      if (short === null) return;
      own.push(short);
      continue;
    }
    const short = random() < 0.6 ? hot : own[Math.floor(random() * own.length)] ?? hot;
    if (!await ledger.visit(base, short)) return;
  }
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Null when the connection was lost before the whole answer was there. */
async function ask(url: string, init: RequestInit = {}): Promise<Reply | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(15_000), redirect: "manual", ...init });
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
