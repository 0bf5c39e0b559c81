import assert from "node:assert/strict";
import { queueKeys } from "@/lib/chat/register/queue.ts";
import type { Person, Sent, TestChat } from "@/tests/helpers/chat.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** An event as a test looks at it. */
// deno-lint-ignore no-explicit-any
export type Heard = Record<string, any>;

/** Somebody's client with a queue of its own, which acknowledges what it heard. */
export interface TestClient {
  readonly queueId: string;
  last: number;
  /** What happened since it last asked. */
  hear(): Promise<Heard[]>;
  /** The same; null where the queue has ended, so that the client begins anew. */
  hearUnlessEnded(): Promise<Heard[] | null>;
  /** The same, waiting for it. */
  wait(): Promise<Heard[]>;
}

/** Registers a queue for somebody. */
export async function listen(chat: TestChat, who: Person, params: Sent = {}): Promise<TestClient> {
  const { status, body } = await chat.call(who, "POST /register", { fetch_event_types: [], ...params });
  assert.equal(status, 200, JSON.stringify(body));
  const ask = async (client: TestClient, dont_block: boolean) => {
    const events = await askUnlessEnded(client, dont_block);
    assert.ok(events, "the queue has ended");
    return events;
  };
  const askUnlessEnded = async (client: TestClient, dont_block: boolean) => {
    const asked = { queue_id: client.queueId, last_event_id: client.last, dont_block };
    const answer = await chat.call(who, "GET /events", asked);
    if (answer.body["code"] === "BAD_EVENT_QUEUE_ID") return null;
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.queue_id, client.queueId);
    const events: Heard[] = answer.body.events;
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
    hear: () => ask(client, true),
    hearUnlessEnded: () => askUnlessEnded(client, true),
    wait: () => ask(client, false),
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
  { id: userId }: Person,
  { queueId, count }: { queueId: string; count: number },
): Promise<void> {
  const { kv } = services.store;
  const { value } = await kv.get(queueKeys.queue(realm.id, queueId));
  for (let made = 0; made < count;) {
    const commit = kv.atomic();
    for (let at = 0; at < 250 && made < count; at++, made++) {
      const id = crypto.randomUUID();
      commit.set(queueKeys.queue(realm.id, id), value);
      commit.set([...queueKeys.ofUser(realm.id, userId), id], clock.time - 1000);
    }
    await commit.commit();
  }
}

/** The contents of the messages among events. */
export function contentsIn(events: readonly Heard[]): string[] {
  return events.filter(({ type }) => type === "message").map(({ message }) => message.content);
}
