import { strict as assert } from "node:assert";
import type { TestServer } from "@/tests/helpers/server.ts";
import type { Random } from "./traffic.ts";

/** Milliseconds after which a request counts as never answered. */
const GIVE_UP_MS = 60_000;

/** A user who sends messages. */
export interface Sender {
  readonly id: number;
  /** The Authorization header. */
  readonly authorization: string;
}

/** Messages that were sent to a server, and its answers. */
export class MessageLedger {
  /** Content by acknowledged id. */
  readonly acknowledged = new Map<number, string>();
  /** Contents that were sent, whether or not they were answered. */
  readonly sent = new Set<string>();
  /** Answers that were neither the expected ones nor the loss of the connection. */
  readonly surprises: string[] = [];

  /** Records the answer to one message and returns the message's id; null when it was not acknowledged. */
  record(content: string, reply: Reply | null): number | null {
    if (reply === null) return null;
    if (reply.status !== 200) {
      this.surprises.push(`${reply.status} ${reply.text.slice(0, 200)}`);
      return null;
    }
    const { id }: { id: number } = JSON.parse(reply.text);
    if (this.acknowledged.has(id)) this.surprises.push(`id ${id} was assigned twice`);
    this.acknowledged.set(id, content);
    return id;
  }
}

/** The sender of a series of messages, its possible recipients, and the ledger of the answers. */
export interface Sending {
  readonly ledger: MessageLedger;
  readonly url: string;
  readonly sender: Sender;
  readonly others: readonly Sender[];
  readonly channelId: number;
  readonly random: Random;
}

const TOPICS = ["plans", "Plans", "tea", "", "a new one"];

/** Sends messages, each after the last one's answer, until the connection is lost; ids must ascend. */
export async function sendUntilLost(sending: Sending): Promise<void> {
  const { ledger, url, sender } = sending;
  for (let last = 0;;) {
    const content = `message ${ledger.sent.size} *of* ${sender.id}`;
    ledger.sent.add(content);
    const reply = await ask(`${url}/api/v1/messages`, {
      method: "POST",
      headers: { authorization: sender.authorization },
      body: new URLSearchParams({ content, ...recipients(sending) }),
    });
    const id = ledger.record(content, reply);
    if (id === null) return;
    if (id <= last) ledger.surprises.push(`${id} came after ${last}`);
    last = id;
  }
}

function recipients({ sender, others, channelId, random }: Sending): Record<string, string> {
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)];
  if (random() < 0.3) {
    const ids = [pick(others), pick(others)].map((other) => other?.id ?? sender.id);
    return { type: "direct", to: JSON.stringify(ids) };
  }
  const topic = random() < 0.1 ? `topic ${Math.floor(random() * 1e6)}` : pick(TOPICS) ?? "";
  return { type: "channel", to: String(channelId), topic };
}

/** Operations that are waited for together, so that a slow machine does not look like one that hangs. */
const STEP = 50;

/** Requests that run until their server is killed. */
export interface Traffic {
  /** Settle when the server is lost. */
  readonly clients: readonly Promise<unknown>[];
  /** Returns how many operations were acknowledged so far. */
  readonly count: () => number;
  /** Acknowledged operations after which the server is killed. */
  readonly goal: number;
}

/**
 * Kills servers while clients use them, once enough operations were acknowledged, and settles when the clients
 * have ended. Clients that all end before that end the wait, so that the test can show why.
 */
export async function killUnderTraffic(
  servers: readonly [TestServer, ...TestServer[]],
  { clients, count, goal }: Traffic,
): Promise<void> {
  const ended = Promise.all(clients);
  let isOver = false;
  ended.catch(() => {}).finally(() => isOver = true);
  for (let acknowledged = count(); acknowledged < goal && !isOver;) {
    const next = Math.min(goal, acknowledged + STEP);
    const isReached = (now: number) => isOver || now >= next;
    acknowledged = await servers[0].waitFor(`${next} operations are acknowledged`, count, isReached);
  }
  await Promise.all(servers.map((server) => server.kill()));
  await ended;
}

/**
 * Asserts that a sender's stored messages were all sent and are stored once, in order; returns the ids. With `word`,
 * the messages are found by a search of it.
 */
export async function verifyOwn(
  { ledger, url, sender, word }: Pick<Sending, "ledger" | "url" | "sender"> & { readonly word?: string },
): Promise<number[]> {
  const narrow = [["sender", sender.id], ...(word === undefined ? [] : [["search", word]])];

  const found: { id: number; content: string }[] = [];
  for (let anchor = 0;;) {
    const query = new URLSearchParams({
      ...{ anchor: String(anchor), num_before: "0", num_after: "1000", include_anchor: "false" },
      ...{ narrow: JSON.stringify(narrow), apply_markdown: "false" },
    });
    const reply = await ask(`${url}/api/v1/messages?${query}`, {
      headers: { authorization: sender.authorization },
    });
    assert.equal(reply?.status, 200, reply?.text ?? "");
    const { messages, found_newest }: {
      messages: { id: number; content: string }[];
      found_newest: boolean;
    } = JSON.parse(reply?.text ?? "{}");
    found.push(...messages);
    if (found_newest) break;
    anchor = messages.at(-1)?.id ?? Infinity;
  }
  const ids = found.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)].sort((one, other) => one - other), "each comes once, ascending");
  const contents = found.map(({ content }) => content);
  assert.equal(new Set(contents).size, contents.length, "no message is stored twice");
  for (const content of contents) assert.ok(ledger.sent.has(content), content);
  return ids;
}

/** A server's answer. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Sends a request and returns its answer; null when the connection was lost before its end. */
export async function ask(url: string, { signal, ...init }: RequestInit = {}): Promise<Reply | null> {
  const signals = [AbortSignal.timeout(GIVE_UP_MS), ...(signal instanceof AbortSignal ? [signal] : [])];
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") throw error;
    return null;
  }
}
