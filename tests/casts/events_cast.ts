import assert from "node:assert/strict";
import { queueKeys } from "@/lib/chat/register/events/queues.ts";
import type { TestChat, TestParams, TestUser } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** An event as a client receives it. */
// deno-lint-ignore no-explicit-any
export type ReceivedEvent = Record<string, any>;

/** A client with its own queue, which acknowledges the events that it received. */
export interface TestClient {
  readonly queueId: string;
  last: number;
  /** Returns the events since the last poll. */
  receive(): Promise<ReceivedEvent[]>;
  /** Returns the events since the last poll; null when the queue has ended. */
  receiveUnlessEnded(): Promise<ReceivedEvent[] | null>;
  /** Waits for the next events and returns them. */
  wait(): Promise<ReceivedEvent[]>;
}

/** Registers a client of a user. */
export async function registerClient(
  chat: TestChat,
  user: TestUser,
  options: TestParams = {},
): Promise<TestClient> {
  const { status, body } = await chat.call(user, "POST /register", { fetch_event_types: [], ...options });
  assert.equal(status, 200, JSON.stringify(body));
  const poll = async (client: TestClient, dont_block: boolean) => {
    const events = await pollUnlessEnded(client, dont_block);
    assert.ok(events, "the queue has ended");
    return events;
  };
  const pollUnlessEnded = async (client: TestClient, dont_block: boolean) => {
    const params = { queue_id: client.queueId, last_event_id: client.last, dont_block };
    const answer = await chat.call(user, "GET /events", params);
    if (answer.body["code"] === "BAD_EVENT_QUEUE_ID") return null;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.queue_id, client.queueId);
    const events: ReceivedEvent[] = answer.body.events;
    const ids = events.map(({ id }) => id);
    assert.ok(
      ids.every((id, at) => Number.isSafeInteger(id) && id >= (ids[at - 1] ?? client.last)),
      `${ids}`,
    );
    client.last = Math.max(client.last, ...ids);
    return events;
  };
  const client: TestClient = {
    queueId: body.queue_id,
    last: body.last_event_id,
    receive: () => poll(client, true),
    receiveUnlessEnded: () => pollUnlessEnded(client, true),
    wait: () => poll(client, false),
  };
  return client;
}

/** Waits until exactly `count` requests wait for events. */
export async function untilWaiting({ services: { events } }: TestChat, count = 1): Promise<void> {
  const isMet = (waiting: number) => waiting === count;
  await waitFor(`${count} requests wait for events`, () => events.waiting, { isMet });
}

/** Adds `count` copies of a queue to its account, last used a second ago. */
export async function copyQueue(
  { services, realm, clock }: TestChat,
  { id: userId }: TestUser,
  { queueId, count }: { queueId: string; count: number },
): Promise<void> {
  const { kv } = services.store;
  const { value } = await kv.get(queueKeys.queue(realm.id, queueId));
  for (let copied = 0; copied < count;) {
    const commit = kv.atomic();
    for (let at = 0; at < 250 && copied < count; at++, copied++) {
      const id = crypto.randomUUID();
      commit.set(queueKeys.queue(realm.id, id), value);
      commit.set([...queueKeys.ofUser(realm.id, userId), id], clock.time - 1000);
    }
    await commit.commit();
  }
}

/** Returns the contents of the messages among events. */
export function contentsIn(events: readonly ReceivedEvent[]): string[] {
  return events.filter(({ type }) => type === "message").map(({ message }) => message.content);
}
