import assert from "node:assert/strict";
import { basic } from "@/tests/helpers/chat.ts";
import type { Cluster } from "@/tests/helpers/cluster.ts";
import { ask, type Sender } from "@/tests/process/messages_traffic.ts";
import { Ledger, type Random } from "@/tests/process/traffic.ts";

const LINK_CLIENTS = 6;
/** Part of the requests for links that creates one. */
const SHORTENING = 0.25;

/** A message as the server lists it. */
interface StoredMessage {
  readonly id: number;
  readonly content: string;
}

/** A channel and the accounts that write to it. */
export interface Garden {
  readonly people: readonly Sender[];
  readonly channelId: number;
}

/** Creates an organization with an owner and two members, who are subscribed to a channel. */
export async function createGarden(cluster: Cluster, password?: string): Promise<Garden> {
  const owner = { email: "owner@example.com", name: "Owner" };
  const created = [await cluster.createGardeners(password === undefined ? owner : { ...owner, password })];
  for (const name of ["Ada", "Ben"]) {
    const address = `${name.toLowerCase()}@example.com`;
    created.push(await cluster.admin("create-user", "--email", address, "--name", name));
  }
  const people = created.map(({ user_id, email, api_key }) => ({
    id: user_id,
    authorization: basic(email, api_key),
  }));
  const { id } = await call(cluster.url, people[0], ["POST", "channels/create", {
    name: "Garden",
    subscribers: people.map((person) => person.id),
  }]);
  return { people, channelId: id };
}

/** Method, path below `/api/v1/` and parameters of a request. */
export type ApiCall = readonly [
  method: string,
  path: string,
  params?: Readonly<Record<string, unknown>>,
];

/** Sends a request to the chat API and returns its status and answer; null when the connection was lost. */
export async function tryCall(
  url: string,
  caller: Sender | undefined,
  [method, path, params = {}]: ApiCall,
  // deno-lint-ignore no-explicit-any
): Promise<{ status: number; answer: any } | null> {
  const texts = Object.entries(params).map(([name, value]) =>
    [name, typeof value === "string" ? value : JSON.stringify(value)] as const
  );
  const form = new URLSearchParams(Object.fromEntries(texts));
  const hasBody = method !== "GET" && method !== "DELETE";
  const headers = { authorization: caller?.authorization ?? "" };
  const reply = hasBody
    ? await ask(`${url}/api/v1/${path}`, { method, headers, body: form })
    : await ask(`${url}/api/v1/${path}?${form}`, { method, headers });
  return reply === null ? null : { status: reply.status, answer: JSON.parse(reply.text) };
}

/** Sends a request that must succeed and returns its answer. */
// deno-lint-ignore no-explicit-any
export async function call(url: string, caller: Sender | undefined, request: ApiCall): Promise<any> {
  const reply = await tryCall(url, caller, request);
  assert.equal(reply?.status, 200, `${request.slice(0, 2).join(" ")}: ${JSON.stringify(reply)}`);
  return reply?.answer;
}

/** Links, visits and messages that clients send through a balancer, going on after lost connections and 503. */
export class MixedLoad {
  readonly ledger = new Ledger({ allowsUnavailable: true });
  /** Contents by id of the acknowledged messages. */
  readonly messages = new Map<number, string>();
  readonly #sent = new Set<string>();
  readonly #surprises: string[] = [];
  #isOver = false;

  constructor(
    private readonly cluster: Cluster,
    private readonly garden: Garden,
    private readonly random: Random,
  ) {}

  /** Operations acknowledged so far. */
  get acknowledged(): number {
    return this.ledger.acknowledged + this.messages.size;
  }

  /** Runs clients until `work` has settled. */
  async during(work: () => Promise<void>): Promise<void> {
    const links = Array.from({ length: LINK_CLIENTS }, () => this.#useLinks());
    const clients = [...links, ...this.garden.people.map((person) => this.#send(person))];
    try {
      await work();
    } finally {
      this.#isOver = true;
      await Promise.all(clients);
    }
  }

  /** Compares what every server returns with the acknowledged operations; returns all stored messages. */
  async verify(): Promise<StoredMessage[]> {
    assert.deepEqual(this.#surprises, []);
    for (const { url } of this.cluster.servers) await this.ledger.verify(url, "all");
    const lists = await Promise.all(this.cluster.servers.map(({ url }) => listMessages(url, this.garden)));
    const [stored = []] = lists;
    for (const list of lists) assert.deepEqual(list, stored);
    const contents = stored.map(({ content }) => content);
    assert.equal(new Set(contents).size, contents.length, "no message is stored twice");
    const byId = new Map(stored.map(({ id, content }) => [id, content]));
    for (const [id, content] of this.messages) assert.equal(byId.get(id), content, `message ${id} is stored`);
    for (const content of contents) assert.ok(this.#sent.has(content), `${content} was sent`);
    return stored;
  }

  async #useLinks(): Promise<void> {
    const own: string[] = [];
    while (!this.#isOver) {
      const hot = this.ledger.links.keys().next().value;
      if (hot === undefined || this.random() < SHORTENING) {
        const short = await this.ledger.shorten(this.cluster.url);
        if (short !== null) own.push(short);
        continue;
      }
      await this.ledger.visit(this.cluster.url, own[Math.floor(this.random() * own.length)] ?? hot);
    }
  }

  async #send(sender: Sender): Promise<void> {
    while (!this.#isOver) {
      const content = `message ${this.#sent.size} of ${sender.id}`;
      this.#sent.add(content);
      const message = { type: "channel", to: this.garden.channelId, topic: "plans", content };
      const reply = await tryCall(this.cluster.url, sender, ["POST", "messages", message]);
      if (reply === null || reply.status === 503) continue;
      if (reply.status !== 200) this.#surprises.push(JSON.stringify(reply));
      else if (this.messages.has(reply.answer.id)) this.#surprises.push(`${reply.answer.id} came twice`);
      else this.messages.set(reply.answer.id, content);
    }
  }
}

/** Lists the messages that people sent to the channel. */
async function listMessages(url: string, { people, channelId }: Garden): Promise<StoredMessage[]> {
  const found: StoredMessage[] = [];
  for (let isComplete = false, anchor = 0; !isComplete;) {
    const { messages, found_newest } = await call(url, people[0], ["GET", "messages", {
      ...{ anchor, num_before: 0, num_after: 1000, include_anchor: false, apply_markdown: false },
      narrow: [["channel", channelId], ["topic", "plans"]],
    }]);
    found.push(...messages.map(({ id, content }: StoredMessage) => ({ id, content })));
    isComplete = found_newest;
    anchor = found.at(-1)?.id ?? 0;
  }
  return found;
}
