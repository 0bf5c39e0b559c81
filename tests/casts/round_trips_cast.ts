import assert from "node:assert/strict";
import { basic, startChat, type TestChat, type TestParams, type TestUser } from "@/tests/helpers/chat.ts";
import { MeteredStore } from "@/tests/helpers/round_trips.ts";
import { makeChannel, send } from "./messages_cast.ts";

/** Number of messages of each of two senders. */
const MESSAGES = 20;
/** Number of event queues. */
const QUEUES = 10;

/** A server on a metered store with a channel of messages, a link, a file and an event queue. */
export interface RoundTripsCast extends AsyncDisposable {
  readonly metered: MeteredStore;
  readonly channelId: number;
  /** Ids of the channel's messages by the owner, oldest first. */
  readonly messageIds: readonly number[];
  /** Ids of messages by the member. */
  readonly ownMessageIds: readonly number[];
  readonly ownerId: number;
  readonly memberEmail: string;
  /** Event queues, each with one message that was not fetched. */
  readonly queueIds: readonly string[];
  /** Paths of a link and of a file. */
  readonly link: string;
  readonly file: string;
  /** Sends a request to the chat API as a member, which must succeed. */
  call(endpoint: string, params?: TestParams): Promise<Record<string, unknown>>;
  /** Sends a request as a browser, which must succeed. */
  visit(path: string, init?: RequestInit): Promise<void>;
  /** Sends a request with an address and a well-formed key of another user, which must be refused. */
  refuse(address: string): Promise<void>;
  /** Uploads a file with a content as a member and returns its path. */
  upload(content: string): Promise<string>;
  /** Downloads a file as a member. */
  download(path: string): Promise<void>;
}

/** Starts the server with rate limits, as a server on a store in the network has them. */
export async function startRoundTripsCast(): Promise<RoundTripsCast> {
  const metered = await MeteredStore.open();
  const chat = await startChat({ store: metered.store, env: { RATE_LIMITS: "on" } });
  const channelId = await makeChannel(chat, "garden");
  const sendMessages = (sender: TestUser) =>
    Promise.all(
      Array.from(
        { length: MESSAGES },
        (_, at) => send(chat, sender, { to: channelId, content: `leaf ${at}` }),
      ),
    );
  const requests = createRequests(chat);
  const cast = {
    ...{ metered, channelId, ownerId: chat.owner.id, memberEmail: chat.member.email },
    messageIds: await sendMessages(chat.owner),
    ownMessageIds: await sendMessages(chat.member),
    link: await chat.shorten("https://example.com/"),
    file: await requests.upload("a leaf"),
    queueIds: await Promise.all(Array.from({ length: QUEUES }, () => openQueue(requests))),
    ...requests,
    [Symbol.asyncDispose]: () => chat[Symbol.asyncDispose](),
  };
  await send(chat, chat.owner, { to: channelId, content: "the last leaf" });
  return cast;
}

async function openQueue({ call }: Pick<RoundTripsCast, "call">): Promise<string> {
  return String((await call("POST /register", { event_types: ["message"] })).queue_id);
}

function createRequests(
  chat: TestChat,
): Pick<RoundTripsCast, "call" | "visit" | "refuse" | "upload" | "download"> {
  const headers = { authorization: basic(chat.member.email, chat.member.apiKey) };
  const request = async (path: string, init?: RequestInit) => {
    const response = await chat.request(path, init);
    assert.ok(response.status < 400, `${path} was answered ${response.status}`);
    return response;
  };
  return {
    async call(endpoint, params) {
      const { status, body } = await chat.call(chat.member, endpoint, params);
      assert.equal(status, 200, `${endpoint}: ${JSON.stringify(body)}`);
      return body;
    },
    async visit(path, init) {
      await (await request(path, init)).body?.cancel();
    },
    async refuse(address) {
      const headers = { authorization: basic(address, chat.owner.apiKey) };
      const response = await chat.request("/api/v1/users/me", { headers });
      assert.equal((await response.json()).code, "INVALID_API_KEY");
    },
    async upload(content) {
      const body = new FormData();
      body.set("file", new File([content], "leaf.txt"));
      return (await (await request("/api/v1/user_uploads", { method: "POST", headers, body })).json()).url;
    },
    async download(path) {
      await (await request(path, { headers })).bytes();
    },
  };
}
