import { strict as assert } from "node:assert";
import type { Random } from "./traffic.ts";

/** Somebody who sends. */
export interface Sender {
  readonly id: number;
  /** The Authorization header. */
  readonly authorization: string;
}

/** What senders asked of a server, and what they were answered. */
export class MessageLedger {
  /** Content by acknowledged id. */
  readonly acknowledged = new Map<number, string>();
  /** Contents that were sent, whether or not they were answered. */
  readonly sent = new Set<string>();
  /** Answers that were neither the wanted ones nor the loss of the connection. */
  readonly surprises: string[] = [];

  /** Notes what became of one message; false when the answer did not come. */
  note(content: string, reply: Reply | null): number | null {
    if (reply === null) return null;
    if (reply.status !== 200) {
      this.surprises.push(`${reply.status} ${reply.text.slice(0, 200)}`);
      return null;
    }
    const { id }: { id: number } = JSON.parse(reply.text);
    if (this.acknowledged.has(id)) this.surprises.push(`id ${id} was given twice`);
    this.acknowledged.set(id, content);
    return id;
  }
}

/** Who sends, where to, and by whom the answers are kept. */
export interface Sending {
  readonly ledger: MessageLedger;
  readonly url: string;
  readonly sender: Sender;
  readonly others: readonly Sender[];
  readonly channelId: number;
  readonly random: Random;
}

const TOPICS = ["plans", "Plans", "tea", "", "a new one"];

/** One connection: sends, each message after the last one's answer, until the connection is lost; ids must ascend. */
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
    const id = ledger.note(content, reply);
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

/** Every acknowledged message of one sender is there for him, as it was sent, and nothing else is. */
export async function verifyOwn(
  { ledger, url, sender }: Pick<Sending, "ledger" | "url" | "sender">,
): Promise<number[]> {
  const found: { id: number; content: string }[] = [];
  for (let anchor = 0;;) {
    const query = new URLSearchParams({
      ...{ anchor: String(anchor), num_before: "0", num_after: "1000", include_anchor: "false" },
      ...{ narrow: JSON.stringify([["sender", sender.id]]), apply_markdown: "false" },
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
  assert.equal(new Set(contents).size, contents.length, "nothing is there twice");
  for (const content of contents) assert.ok(ledger.sent.has(content), content);
  return ids;
}

/** What a server answered. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Null when the connection was lost before the whole answer was there. */
export async function ask(url: string, init: RequestInit = {}): Promise<Reply | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(15_000), ...init });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    if (error instanceof DOMException && error.name === "TimeoutError") throw error;
    return null;
  }
}
