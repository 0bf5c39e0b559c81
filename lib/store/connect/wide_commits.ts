import { CommitGate, type RecordedCommit } from "./commit_gate.ts";

/**
 * Makes atomic operations of a store on a KV Connect server take up to 100 checks, where the server takes 10.
 * Returns the same store. All writers of the server have to use stores of this kind.
 */
export function allowWideCommits(kv: Deno.Kv): Deno.Kv {
  const newAtomic = kv.atomic.bind(kv);
  const gate = new CommitGate(kv, newAtomic);
  const gated: Pick<Deno.Kv, "atomic" | "set" | "delete"> = {
    atomic: () => new GatedOperation(gate),
    async set(key, value, options) {
      return requireOk(await new GatedOperation(gate).set(key, value, options).commit());
    },
    async delete(key) {
      requireOk(await new GatedOperation(gate).delete(key).commit());
    },
  };
  return Object.assign(kv, gated);
}

/** An atomic operation that records its parts, because it may have to be sent more than once. */
class GatedOperation implements Deno.AtomicOperation {
  readonly #gate: CommitGate;
  readonly #checks: Deno.AtomicCheck[] = [];
  readonly #mutations: RecordedCommit["mutations"][number][] = [];

  constructor(gate: CommitGate) {
    this.#gate = gate;
  }

  check(...checks: Deno.AtomicCheck[]): this {
    this.#checks.push(...checks);
    return this;
  }

  mutate(...mutations: Deno.KvMutation[]): this {
    return this.#record((atomic) => atomic.mutate(...mutations));
  }

  sum(key: Deno.KvKey, amount: bigint): this {
    return this.#record((atomic) => atomic.sum(key, amount));
  }

  min(key: Deno.KvKey, amount: bigint): this {
    return this.#record((atomic) => atomic.min(key, amount));
  }

  max(key: Deno.KvKey, amount: bigint): this {
    return this.#record((atomic) => atomic.max(key, amount));
  }

  set(key: Deno.KvKey, value: unknown, options?: { expireIn?: number }): this {
    return this.#record((atomic) => atomic.set(key, value, options));
  }

  delete(key: Deno.KvKey): this {
    return this.#record((atomic) => atomic.delete(key));
  }

  enqueue(value: unknown, options?: Parameters<Deno.AtomicOperation["enqueue"]>[1]): this {
    return this.#record((atomic) => atomic.enqueue(value, options));
  }

  commit(): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
    return this.#gate.commit({ checks: this.#checks, mutations: this.#mutations });
  }

  #record(mutate: RecordedCommit["mutations"][number]): this {
    this.#mutations.push(mutate);
    return this;
  }
}

/**
 * Returns the result of a commit without checks.
 * @throws Error when it has failed, which only checks can cause.
 */
export function requireOk(result: Deno.KvCommitResult | Deno.KvCommitError): Deno.KvCommitResult {
  if (!result.ok) throw new Error("A commit without checks failed");
  return result;
}
