import { type Clock, systemClock } from "@/lib/core/clock.ts";
import { type AtomicOperation, type CommitResult, type Kv, MAX_MUTATIONS } from "../kv.ts";
import { readMany } from "../reads.ts";
import { backOff } from "../retry.ts";

/** Key of the gate, which every commit checks and a commit of many checks closes. */
const GATE_KEY = ["commit_gate"];
/** Maximum number of checks that a KV Connect server takes in an atomic operation. */
const MAX_STORE_CHECKS = 10;
/** Failures of a commit because of the gate after which it closes the gate itself, so that it is not kept out for good. */
const MAX_LOST_RACES = 3;
/** Time in milliseconds after which a gate that stays closed belongs to a process that has ended. */
const HOLD_MS = 1000;
/** Failures while waiting for a closed gate, which determine the pause between two looks at it. */
const WAIT_STEP = 3;

/** Adds the mutations of a commit to an atomic operation. */
type Mutate = (atomic: AtomicOperation) => void;

/** Checks and mutations of one commit. */
interface RecordedCommit {
  readonly checks: readonly Deno.AtomicCheck[];
  readonly mutations: readonly Mutate[];
}

/** The gate as last seen; its value is true while a commit of many checks is under way. */
type GateEntry = Deno.KvEntryMaybe<boolean>;

/**
 * Commits atomic operations with more checks than the store takes. Such a commit closes the gate, reads what it
 * has to check, and writes if all of it is current; every other commit of any process checks that the gate did
 * not move, so nothing changes meanwhile. The commit that writes also opens the gate. All writers of the store have to
 * use gates.
 */
export class CommitGate {
  readonly #kv: Pick<Kv, "get" | "getMany">;
  readonly #newAtomic: () => AtomicOperation;
  #seen: GateEntry | null = null;
  /** Settles when the last commit of this process that closes the gate has ended. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(kv: Pick<Kv, "get" | "getMany">, newAtomic: () => AtomicOperation) {
    this.#kv = kv;
    this.#newAtomic = newAtomic;
  }

  /** Carries out a commit; returns `ok: false` and writes nothing when a check fails. */
  async commit(recorded: RecordedCommit): Promise<CommitResult> {
    if (recorded.checks.length >= MAX_STORE_CHECKS) return await this.#commitClosed(recorded);
    for (let lost = 0; lost < MAX_LOST_RACES; lost++) {
      await this.#closing;
      const gate = await this.#untilOpen();
      const atomic = this.#newAtomic().check(gate, ...recorded.checks);
      for (const mutate of recorded.mutations) mutate(atomic);
      const result = await atomic.commit();
      if (result.ok) return result;
      const now = await this.#look();
      // Where the gate did not move, another check failed.
      if (now.versionstamp === gate.versionstamp) return result;
    }
    return await this.#commitClosed(recorded);
  }

  /** Commits with the gate closed; commits of this process take turns. */
  #commitClosed(recorded: RecordedCommit): Promise<CommitResult> {
    const run = () => this.#closeAndCommit(recorded);
    const result = this.#closing.then(run);
    this.#closing = result.catch(() => {});
    return result;
  }

  async #closeAndCommit({ checks, mutations }: RecordedCommit): Promise<CommitResult> {
    for (;;) {
      const held = await this.#close();
      const isCurrent = await this.#areCurrent(checks);
      const result = await this.#writeAndOpen(held, isCurrent ? mutations : []);
      // Otherwise another process took this one for ended, and nothing was written.
      if (result.ok) return isCurrent ? result : { ok: false };
    }
  }

  async #close(): Promise<Deno.AtomicCheck> {
    for (;;) {
      const gate = await this.#untilOpen();
      const closed = await this.#newAtomic().check(gate).set(GATE_KEY, true).commit();
      this.#seen = null;
      if (closed.ok) return { key: GATE_KEY, versionstamp: closed.versionstamp };
    }
  }

  async #writeAndOpen(held: Deno.AtomicCheck, mutations: readonly Mutate[]): Promise<CommitResult> {
    const hasRoom = mutations.length < MAX_MUTATIONS;
    const atomic = this.#newAtomic().check(held);
    if (hasRoom) atomic.set(GATE_KEY, false);
    for (const mutate of mutations) mutate(atomic);
    const result = await atomic.commit();
    if (result.ok && hasRoom) {
      this.#seen = { key: GATE_KEY, value: false, versionstamp: result.versionstamp };
    } else if (result.ok) {
      // The commit is made; a gate that this leaves closed is opened by the next one.
      await this.#newAtomic().check(held).set(GATE_KEY, false).commit().catch(() => {});
    }
    return result;
  }

  async #areCurrent(checks: readonly Deno.AtomicCheck[]): Promise<boolean> {
    const entries = await readMany(this.#kv, checks.map(({ key }) => [...key]));
    return checks.every(({ versionstamp }, at) => entries[at]?.versionstamp === versionstamp);
  }

  /** Returns the open gate. Opens one that stays closed, because its process has ended. */
  async #untilOpen(): Promise<GateEntry> {
    let gate = this.#seen ?? await this.#look();
    let since = systemClock.monotonic();
    while (gate.value === true) {
      if (systemClock.monotonic() - since > HOLD_MS) {
        await this.#newAtomic().check(gate).set(GATE_KEY, false).commit();
      } else {
        await backOff(WAIT_STEP);
      }
      const before = gate.versionstamp;
      gate = await this.#look();
      if (gate.versionstamp !== before) since = systemClock.monotonic();
    }
    return gate;
  }

  async #look(): Promise<GateEntry> {
    return this.#seen = await this.#kv.get<boolean>(GATE_KEY);
  }
}

/** An atomic operation of up to 100 checks that records its parts, because it may have to be sent more than once. */
export class WideOperation implements AtomicOperation {
  readonly #gate: CommitGate;
  readonly #toStored: (value: unknown) => unknown;
  readonly #checks: Deno.AtomicCheck[] = [];
  readonly #mutations: Mutate[] = [];

  /** `toStored` converts values for the operations that the gate commits. */
  constructor(gate: CommitGate, toStored: (value: unknown) => unknown = (value) => value) {
    this.#gate = gate;
    this.#toStored = toStored;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#checks.push(...checks);
    return this;
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): this {
    const stored = this.#toStored(value);
    return this.#record((atomic) => atomic.set(key, stored, options));
  }

  delete(key: Deno.KvKey): this {
    return this.#record((atomic) => atomic.delete(key));
  }

  sum(key: Deno.KvKey, amount: bigint): this {
    return this.#record((atomic) => atomic.sum(key, amount));
  }

  commit(): Promise<CommitResult> {
    return this.#gate.commit({ checks: this.#checks, mutations: this.#mutations });
  }

  #record(mutate: Mutate): this {
    this.#mutations.push(mutate);
    return this;
  }
}

/** Resolution of the times that servers send, in milliseconds. */
const SECOND_MS = 1000;

/**
 * The time of a KV Connect server, so that all its processes agree on the time whatever their machines' clocks
 * say. Follows from the Date header of the server's responses; without any, it is the machine's time.
 */
export class NetworkClock implements Clock {
  readonly #machine: Clock;
  /** Bounds of the time by which the server is ahead of the machine, in milliseconds. */
  #least = -Infinity;
  #most = Infinity;

  constructor(machine: Clock = systemClock) {
    this.#machine = machine;
  }

  /** Returns the machine's time, or the nearest time that the server's responses allow. */
  now(): number {
    return this.#machine.now() + Math.round(Math.min(Math.max(0, this.#least), this.#most));
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  /** Sends a request to the server and takes its time from the response. */
  async observe(send: () => Promise<Response>): Promise<Response> {
    const start = this.#machine.monotonic();
    const response = await send();
    const took = this.#machine.monotonic() - start;
    const named = Date.parse(response.headers.get("date") ?? "");
    if (Number.isFinite(named)) this.#narrow(named - this.#machine.now(), took + SECOND_MS);
    return response;
  }

  /** Combines an observation with the earlier ones, or replaces them if a clock was set since. */
  #narrow(least: number, width: number): void {
    const [bottom, top] = [Math.max(this.#least, least), Math.min(this.#most, least + width)];
    [this.#least, this.#most] = bottom <= top ? [bottom, top] : [least, least + width];
  }
}
