import type { Buffer } from "node:buffer";
import { Deserializer, Serializer } from "node:v8";
import { makeInMemoryService, makeRemoteService } from "@deno/kv";
import { toValue } from "../key.ts";
import type { AtomicOperation, CommitResult, Kv } from "../kv.ts";
import { CommitGate, WideOperation } from "./commit_gate.ts";
import { type KvCalls, STORE_ADDRESS } from "./kv_calls.ts";

/** A counter of the client, which is of another class than the runtime's. */
interface ClientCounter {
  readonly value: bigint;
  sum(other: { readonly value: bigint }): ClientCounter;
}

/** A value that is stored as a structured clone; others are bytes and counters. */
class Clone {
  constructor(readonly value: unknown) {}
}

/**
 * Opens a store whose requests are sent by `calls`, which it closes; its values are those of the runtime's own client.
 */
export async function openClient(calls: KvCalls): Promise<Kv> {
  const service = makeRemoteService({
    accessToken: "-",
    fetcher: calls.fetch,
    maxRetries: 0,
    encodeV8,
    decodeV8: (bytes) => new Clone(decodeV8(bytes)),
  });
  // Its types are those of the runtime, but for values and for parts of keys that are symbols.
  const client = toValue<Kv>(await service.openKv(STORE_ADDRESS));
  return new RemoteKv(client, calls, await makeZero());
}

function encodeV8(value: unknown): Buffer {
  const serializer = new Serializer();
  serializer.writeHeader();
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function decodeV8(bytes: Uint8Array): unknown {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue();
}

/** Returns a counter that is 0, whose sums are all others: the client does not export its class. */
async function makeZero(): Promise<ClientCounter> {
  const memory = await makeInMemoryService().openKv();
  await memory.atomic().sum(["zero"], 0n).commit();
  const { value } = await memory.get<ClientCounter>(["zero"]);
  memory.close();
  if (value === null) throw new Error("the client has no counters");
  return value;
}

/** The client as a database of the runtime whose commits may have 100 checks. */
class RemoteKv implements Kv {
  readonly #client: Kv;
  readonly #calls: KvCalls;
  readonly #zero: ClientCounter;
  readonly #gate: CommitGate;

  constructor(client: Kv, calls: KvCalls, zero: ClientCounter) {
    this.#client = client;
    this.#calls = calls;
    this.#zero = zero;
    this.#gate = new CommitGate(this, () => client.atomic());
  }

  async get<T = unknown>(key: Deno.KvKey): Promise<Deno.KvEntryMaybe<T>> {
    return toRuntimeEntry<T>(await this.#client.get(key));
  }

  async getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    const entries = await this.#client.getMany<unknown[]>([...keys]);
    return toValue<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }>(
      entries.map((entry) => toRuntimeEntry(entry)),
    );
  }

  list<T = unknown>(selector: Deno.KvListSelector, options?: Deno.KvListOptions): Deno.KvListIterator<T> {
    return new RemoteListing<T>(this.#client.list(selector, options));
  }

  async set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): Promise<Deno.KvCommitResult> {
    return requireOk(await this.atomic().set(key, value, options).commit());
  }

  async delete(key: Deno.KvKey): Promise<void> {
    requireOk(await this.atomic().delete(key).commit());
  }

  atomic(): AtomicOperation {
    return new WideOperation(
      this.#gate,
      (value) => value instanceof Deno.KvU64 ? this.#zero.sum(value) : value,
    );
  }

  close(): void {
    this.#client.close();
    this.#calls[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** A listing of the client with values of the runtime. */
class RemoteListing<T> implements Deno.KvListIterator<T> {
  readonly #listing: Deno.KvListIterator<unknown>;

  constructor(listing: Deno.KvListIterator<unknown>) {
    this.#listing = listing;
  }

  get cursor(): string {
    return this.#listing.cursor;
  }

  async next(): Promise<IteratorResult<Deno.KvEntry<T>, undefined>> {
    const { done, value } = await this.#listing.next();
    return done === true ? { done, value } : { done: false, value: toRuntimeEntry<T>(value) };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Returns an entry of the client, which is present in a listing, with a value of the runtime. */
function toRuntimeEntry<T>(entry: Deno.KvEntryMaybe<unknown>): Deno.KvEntry<T> {
  return toValue<Deno.KvEntry<T>>({ ...entry, value: toRuntimeValue(entry.value) });
}

function toRuntimeValue(value: unknown): unknown {
  if (value instanceof Clone) return value.value;
  // The client's bytes are a part of its whole response.
  if (value instanceof Uint8Array) return value.slice();
  return value === null ? null : new Deno.KvU64(toValue<ClientCounter>(value).value);
}

/** @throws Error when a commit without checks has failed, which only checks can cause. */
function requireOk(result: CommitResult): Deno.KvCommitResult {
  if (!result.ok) throw new Error("A commit without checks failed");
  return result;
}
