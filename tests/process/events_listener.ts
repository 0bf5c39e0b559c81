import assert from "node:assert/strict";
import { admin } from "@/tests/helpers/command_line.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { ask, type Sender } from "./messages_traffic.ts";

/** An event that was heard. */
export interface HeardEvent {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number };
}

/** A client that goes on where it was, whatever becomes of the server in between. */
export class Listener {
  readonly events: HeardEvent[] = [];
  #queueId = "";
  #last = -1;

  constructor(public url: string, readonly sender: Sender, readonly signal?: AbortSignal) {}

  /** The same client, which asks another server from now on. */
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

  /** One request; false when the connection was lost. */
  async hear(dont_block: boolean): Promise<boolean> {
    const query = new URLSearchParams({
      ...{ queue_id: this.#queueId, last_event_id: String(this.#last), dont_block: String(dont_block) },
    });
    const reply = await this.#ask(`/events?${query}`);
    if (reply === null || reply.status === 503) return false;
    assert.equal(reply.status, 200, reply.text);
    const { events }: { events: HeardEvent[] } = JSON.parse(reply.text);
    for (const event of events) {
      assert.ok(event.id > this.#last, `${event.id} came after ${this.#last}`);
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

/** Asks for events until the connection is lost. */
export async function listenUntilLost(listener: Listener): Promise<void> {
  while (await listener.hear(false));
}

/** Everything that a client heard of messages, once nothing more is to come. */
export async function hearAll(listener: Listener): Promise<number[]> {
  for (let before = -1; listener.events.length > before;) {
    before = listener.events.length;
    assert.ok(await listener.hear(true));
  }
  return listener.events.flatMap(({ message }) => message === undefined ? [] : [message.id]);
}

/** The ids of all messages after one that somebody may see. */
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

/** Makes an organization with three people. */
export async function makePeople(folder: string): Promise<Sender[]> {
  const owner = ["--owner-email", "owner@example.com", "--owner-name", "Owner"];
  const made = [await admin(`${folder}/sotto.kv`, "create-realm", "--name", "Gardeners", ...owner)];
  for (const name of ["one", "two"]) {
    made.push(
      await admin(`${folder}/sotto.kv`, "create-user", "--email", `${name}@example.com`, "--name", name),
    );
  }
  return made.map(({ user_id, email, api_key }) => ({ id: user_id, authorization: basic(email, api_key) }));
}

/** Makes a channel with all of them, and gives its id and that of the last message so far. */
export async function makeGarden(url: string, people: readonly Sender[]) {
  const reply = await ask(`${url}/api/v1/channels/create`, {
    method: "POST",
    headers: { authorization: people[0]?.authorization ?? "" },
    body: new URLSearchParams({
      name: "Garden",
      subscribers: JSON.stringify(people.map(({ id }) => id)),
    }),
  });
  const channelId: number = JSON.parse(reply?.text ?? "").id;
  const ids = await Promise.all(people.map((one) => listIds(url, one, 0)));
  return { channelId, first: Math.max(0, ...ids.flat()) };
}
