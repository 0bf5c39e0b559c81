import assert from "node:assert/strict";
import { waitFor } from "@/tests/helpers/wait.ts";
import type { Sender } from "@/tests/process/messages_traffic.ts";
import { call, tryCall } from "./load.ts";

/** An event of a queue. */
interface QueuedEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number };
}

/** A client with an event queue, which any server can be asked for. */
export class Poller {
  readonly #queueId: string;
  #last: number;

  constructor(
    private url: string,
    private readonly owner: Sender | undefined,
    { queueId, last }: { queueId: string; last: number },
  ) {
    this.#queueId = queueId;
    this.#last = last;
  }

  /** Sends later requests to another address; returns the same client. */
  movedTo(url: string): this {
    this.url = url;
    return this;
  }

  /** Returns the ids of all messages since the last call, in the order of their events. */
  async receiveAll(): Promise<number[]> {
    const events: QueuedEvent[] = [];
    for (let isComplete = false; !isComplete;) {
      const next = await this.#receive();
      events.push(...next);
      isComplete = next.length === 0;
    }
    return events.flatMap(({ message }) => message === undefined ? [] : [message.id]);
  }

  /** Waits for messages and returns their ids, in the order of their events. */
  async receiveMessages(count: number): Promise<number[]> {
    const ids: number[] = [];
    return await waitFor(`${count} messages arrive`, async () => {
      ids.push(...await this.receiveAll());
      return ids;
    }, { isMet: ({ length }) => length >= count });
  }

  async #receive(): Promise<readonly QueuedEvent[]> {
    const params = { queue_id: this.#queueId, last_event_id: this.#last, dont_block: true };
    const reply = await tryCall(this.url, this.owner, ["GET", "events", params]);
    assert.equal(reply?.status, 200, JSON.stringify(reply));
    const events: QueuedEvent[] = reply?.answer.events;
    // Events of one commit may share an id, and are delivered together.
    for (const { id } of events) assert.ok(id > this.#last, `event ${id} came after ${this.#last}`);
    for (const [at, { id }] of events.entries()) assert.ok(id >= (events[at - 1]?.id ?? 0), "ids ascend");
    this.#last = events.at(-1)?.id ?? this.#last;
    return events;
  }
}

/** Registers an event queue for messages on a server. */
export async function createPoller(url: string, owner: Sender | undefined): Promise<Poller> {
  const { queue_id, last_event_id } = await call(url, owner, ["POST", "register", {
    event_types: ["message"],
    fetch_event_types: [],
  }]);
  return new Poller(url, owner, { queueId: queue_id, last: last_event_id });
}
