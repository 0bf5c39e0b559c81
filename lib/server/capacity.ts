import { createGroupReader } from "../services/client_address.ts";

/** Client that requests are counted for: a group of addresses. */
export interface CapacityClient {
  readonly group: string;
  /**
   * Whether it is this machine. A proxy that forwards no client addresses makes all clients look like it, so it
   * gets a larger quota.
   */
  readonly isLocal: boolean;
}

/** A slot among the requests that are handled at the same time; disposing of it more than once is harmless. */
export interface Slot extends Disposable {
  readonly client: CapacityClient;
}

/** Quota of one client, as a part of all slots. */
const QUOTA = 1 / 4;
/** Quota of this machine. */
const LOCAL_QUOTA = 7 / 8;
/** The addresses by which a proxy on this machine connects. */
const LOCAL_ADDRESSES: readonly string[] = ["127.0.0.1", "::1", "::ffff:127.0.0.1"];

/** Slots for requests of one kind, of which every client has a quota. */
export class Capacity {
  readonly #byClient = new Map<string, number>();
  readonly #leave = (slot: TakenSlot): void => this.#change(slot, -1);
  #count = 0;

  /** `onChange` is called when a request enters (1) or leaves (-1). */
  constructor(private readonly limit: number, private readonly onChange: (by: 1 | -1) => void = () => {}) {}

  /** Takes some slots, one by default; null when all slots, or all of the client's quota, are taken. */
  enter(client: CapacityClient, size = 1): Slot | null {
    if (this.#count >= this.limit || this.isQuotaUsed(client)) return null;
    const slot = new TakenSlot(client, size, this.#leave);
    this.#change(slot, 1);
    return slot;
  }

  /** Returns the number of slots that a client has taken. */
  countOf({ group }: CapacityClient): number {
    return this.#byClient.get(group) ?? 0;
  }

  /** Whether a client has used up its quota. */
  isQuotaUsed(client: CapacityClient): boolean {
    return this.countOf(client) >= Math.ceil(this.limit * (client.isLocal ? LOCAL_QUOTA : QUOTA));
  }

  #change({ client: { group }, size }: TakenSlot, by: 1 | -1): void {
    const count = (this.#byClient.get(group) ?? 0) + by * size;
    if (count === 0) this.#byClient.delete(group);
    else this.#byClient.set(group, count);
    this.#count += by * size;
    this.onChange(by);
  }
}

/** Slots of one kind that a request takes. */
class TakenSlot implements Slot {
  #isHeld = true;

  constructor(
    readonly client: CapacityClient,
    readonly size: number,
    private readonly leave: (slot: TakenSlot) => void,
  ) {}

  [Symbol.dispose](): void {
    if (this.#isHeld) this.leave(this);
    this.#isHeld = false;
  }
}

/** Creates a function that returns the client of an address. */
export function createClientReader(): (address: string) => CapacityClient {
  const groupOf = createGroupReader();
  return (address) => ({ group: groupOf(address), isLocal: LOCAL_ADDRESSES.includes(address) });
}
