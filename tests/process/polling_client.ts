import assert from "node:assert/strict";
import { callCommand, createGardeners } from "@/tests/helpers/command_calls.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { ask, type Sender } from "./messages_traffic.ts";

/** An event that a client received. */
export interface PolledEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number };
}

/** A client that goes on from its last event when the server is replaced. */
export class PollingClient {
  readonly events: PolledEvent[] = [];
  #queueId = "";
  #last = -1;

  constructor(public url: string, readonly sender: Sender, readonly signal?: AbortSignal) {}

  /** Sends later requests to another server; returns the same client. */
  movedTo(url: string): this {
    this.url = url;
    return this;
  }

  async register(): Promise<void> {
    const reply = await this.#ask("/register", {
      method: "POST",
      body: new URLSearchParams({ event_types: '["message"]', fetch_event_types: "[]" }),
    });
    assert.equal(reply?.status, 200, reply?.text ?? "");
    ({ queue_id: this.#queueId, last_event_id: this.#last } = JSON.parse(reply?.text ?? ""));
  }

  /** Sends one request for events; returns false when the connection was lost or the server was stopping. */
  async receive(dont_block: boolean): Promise<boolean> {
    const query = new URLSearchParams({
      ...{ queue_id: this.#queueId, last_event_id: String(this.#last), dont_block: String(dont_block) },
    });
    const reply = await this.#ask(`/events?${query}`);
    if (reply === null || reply.status === 503) return false;
    assert.equal(reply.status, 200, reply.text);
    const { events }: { events: PolledEvent[] } = JSON.parse(reply.text);
    for (const event of events) {
      // A heartbeat has the id of the last event that was looked at, which the client may have.
      const isNew = event.type === "heartbeat" ? event.id >= this.#last : event.id > this.#last;
      assert.ok(isNew, `${event.type} ${event.id} came after ${this.#last}`);
      this.#last = event.id;
      this.events.push(event);
    }
    return true;
  }

  #ask(path: string, init: RequestInit = {}) {
    const headers = { authorization: this.sender.authorization };
    const signal = this.signal === undefined ? {} : { signal: this.signal };
    return ask(`${this.url}/api/v1${path}`, { ...init, ...signal, headers });
  }
}

/** Requests events until the connection is lost. */
export async function pollUntilLost(listener: PollingClient): Promise<void> {
  while (await listener.receive(false));
}

/** Returns the ids of all messages that a client received, after it has caught up. */
export async function receiveAll(listener: PollingClient): Promise<number[]> {
  for (let before = -1; listener.events.length > before;) {
    before = listener.events.length;
    assert.ok(await listener.receive(true));
  }
  return listener.events.flatMap(({ message }) => message === undefined ? [] : [message.id]);
}

/** Lists the ids of all messages after `from` that a user can read. */
export async function listIds(url: string, { authorization }: Sender, from: number): Promise<number[]> {
  const query = { anchor: String(from), num_before: "0", num_after: "5000", include_anchor: "false" };
  const reply = await ask(`${url}/api/v1/messages?${new URLSearchParams(query)}`, {
    headers: { authorization },
  });
  assert.equal(reply?.status, 200, reply?.text ?? "");
  const { messages, found_newest } = JSON.parse(reply?.text ?? "");
  assert.ok(found_newest);
  return messages.map(({ id }: { id: number }) => id);
}

/** Creates an organization with an owner and members, 2 by default; the owner comes first. */
export async function makePeople(folder: string, members = 2): Promise<Sender[]> {
  const store = `${folder}/sotto.kv`;
  const created = [await createGardeners(store)];
  created.push(
    ...await Promise.all(Array.from({ length: members }, (_, at) => {
      const member = ["--email", `member${at}@example.com`, "--name", `Member ${at}`];
      return callCommand(store, "create-user", ...member);
    })),
  );
  return created.map(({ user_id, email, api_key }) => ({
    id: user_id,
    authorization: basic(email, api_key),
  }));
}

/** Creates a channel with all users as subscribers; returns its id and that of the newest message. */
export async function makeGarden(url: string, people: readonly Sender[]) {
  const reply = await ask(`${url}/api/v1/channels/create`, {
    method: "POST",
    headers: { authorization: people[0]?.authorization ?? "" },
    body: new URLSearchParams({
      name: "Garden",
      subscribers: JSON.stringify(people.map(({ id }) => id)),
    }),
  });
  assert.equal(reply?.status, 200, reply?.text ?? "");
  const channelId: number = JSON.parse(reply?.text ?? "").id;
  const ids = await Promise.all(people.map((one) => listIds(url, one, 0)));
  return { channelId, first: Math.max(0, ...ids.flat()) };
}
