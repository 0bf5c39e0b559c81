import assert from "node:assert/strict";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { checkLinks } from "@/lib/links/check.ts";
import { callCommand } from "@/tests/helpers/command_calls.ts";
import { TestServer } from "@/tests/helpers/server.ts";
import { History } from "./history.ts";
import { ask, killUnderTraffic, type Sender } from "./messages_traffic.ts";
import { MixedClient, toContent } from "./mixed_client.ts";
import { readMixedState } from "./mixed_state.ts";
import {
  listIds,
  makeGarden,
  makePeople,
  PollingClient,
  pollUntilLost,
  receiveAll,
} from "./polling_client.ts";
import { Ledger, runClient, seededRandom } from "./traffic.ts";

/** Connections with operations of every kind, and connections that shorten and visit. */
const CONNECTIONS = 6;
const VISITORS = 3;
/** Most operations that are acknowledged in a round before the kill. */
const OPERATIONS = 160;

/** A run of rounds, each of which ends with a kill. */
export interface MixedRun {
  readonly rounds: number;
  readonly seed: number;
  /** Reports each round, and the number of operations that were acknowledged by then. */
  readonly report?: (round: number, acknowledged: number) => void;
}

/**
 * Puts a server under a load of every kind, kills it, and holds the next server against the recorded history,
 * round after round. Returns the number of acknowledged operations.
 */
export async function runMixedRounds({ rounds, seed, report = () => {} }: MixedRun): Promise<number> {
  const folder = await Deno.makeTempDir();
  try {
    const run = new Rounds(folder, seed);
    await run.prepare();
    for (let round = 0; round < rounds; round++) {
      await run.runRound();
      report(round + 1, run.acknowledged);
    }
    await run.finish();
    return run.acknowledged;
  } catch (error) {
    throw new Error(`With TEST_SEED=${seed}`, { cause: error });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

class Rounds {
  readonly #history = new History();
  readonly #ledger = new Ledger({ allowsUnavailable: true });
  readonly #random: () => number;
  readonly #checkedFiles = new Set<string>();
  #people: readonly Sender[] = [];
  #clients: readonly MixedClient[] = [];
  #listeners: readonly PollingClient[] = [];
  #first = 0;

  constructor(private readonly folder: string, seed: number) {
    this.#random = seededRandom(seed);
  }

  get acknowledged(): number {
    return this.#history.acknowledged + this.#ledger.acknowledged;
  }

  /** Creates the organization, its channel, and an event queue of each user. */
  async prepare(): Promise<void> {
    this.#people = await makePeople(this.folder);
    await using server = await TestServer.start({ folder: this.folder });
    const { channelId, first } = await makeGarden(server.url, this.#people);
    this.#first = first;
    await this.#liftEditLimit(server.url);
    const work = { history: this.#history, random: this.#random, channelId };
    this.#clients = Array.from({ length: CONNECTIONS }, (_, at) => {
      const sender = this.#people[at % this.#people.length];
      assert.ok(sender !== undefined);
      return new MixedClient(at, sender, work);
    });
    this.#listeners = this.#people.map((person) => new PollingClient(server.url, person));
    await Promise.all(this.#listeners.map((listener) => listener.register()));
    assert.equal(await server.stop(), 0);
  }

  /** Lets messages be edited however long a run takes. */
  async #liftEditLimit(url: string): Promise<void> {
    const { authorization = "" } = this.#people[0] ?? {};
    const body = new URLSearchParams({ message_content_edit_limit_seconds: '"unlimited"' });
    const reply = await ask(`${url}/api/v1/realm`, { method: "PATCH", headers: { authorization }, body });
    assert.equal(reply?.status, 200, reply?.text ?? "");
  }

  /** Starts a server, verifies its state, and kills it under load. */
  async runRound(): Promise<void> {
    await using server = await TestServer.start({ folder: this.folder });
    await this.#verify(server.url);
    const { url } = server;
    const mixed = this.#clients.map((client) => client.runUntilLost(url));
    const visitors = Array.from(
      { length: VISITORS },
      () => runClient(this.#ledger, [url], this.#random, () => false),
    );
    const listening = this.#listeners.map((listener) => pollUntilLost(listener.movedTo(url)));
    const goal = this.acknowledged + CONNECTIONS + Math.floor(this.#random() * OPERATIONS);
    const clients = [...mixed, ...visitors, ...listening];
    await killUnderTraffic([server], { clients, count: () => this.acknowledged, goal });
    assert.deepEqual(this.#ledger.surprises, []);
    await checkStore(server.store);
  }

  /** Verifies the last state, and that the events of every user are complete. */
  async finish(): Promise<void> {
    await using server = await TestServer.start({ folder: this.folder });
    await this.#verify(server.url);
    await this.#ledger.verify(server.url, "all");
    for (const listener of this.#listeners) {
      const received = await receiveAll(listener.movedTo(server.url));
      assert.deepEqual(received, await listIds(server.url, listener.sender, this.#first));
    }
    assert.equal(await server.stop(), 0);
    assert.equal((await callCommand(server.store, "check")).ok, true);
  }

  async #verify(url: string): Promise<void> {
    await this.#ledger.verify(url, "touched");
    const { files, ...state } = await readMixedState(url, this.#people);
    this.#history.verify(state);
    for (const { name, path, sender } of files) {
      if (this.#checkedFiles.has(name) || !name.startsWith("r")) continue;
      const { authorization } = sender;
      const reply = await ask(`${url}/user_uploads/${path}`, { headers: { authorization } });
      assert.equal(reply?.text, toContent(name).repeat(2), `${name} has its content`);
      this.#checkedFiles.add(name);
    }
  }
}

/** Checks the store of a killed server, as `admin check` does. */
async function checkStore(store: string): Promise<void> {
  using kv = await Deno.openKv(store);
  assert.deepEqual((await checkLinks(kv)).problems, []);
  assert.deepEqual((await checkChat(kv)).problems, []);
}
