import type { LoadPlan } from "../helpers/open_loop.ts";
import type { ServerOptions, TestServer } from "../helpers/server.ts";
import { callSotto } from "./call.ts";
import type { ChatPeople, LoadUser } from "./chat_seeding.ts";

/** Messages of the channel before the load. */
const MESSAGES = 100;
/** Links that are visited. */
const LINKS = 20;
/** Addresses that the requests come from. */
const ADDRESSES = 4000;
/** A rate limit that no load reaches. */
const UNREACHED = { points: 1e9, seconds: 60 };
const LIMITS = ["shorten", "api_user", "api_user_hour", "api_address"];
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const encoder = new TextEncoder();

/** Options of a server under load: it believes the addresses of the requests, and takes turns as in production. */
export const OVERLOAD_OPTIONS: ServerOptions = {
  env: {
    TRUSTED_PROXIES: "127.0.0.1",
    RATE_LIMITS: JSON.stringify(Object.fromEntries(LIMITS.map((name) => [name, UNREACHED]))),
  },
  isLogKept: false,
  shell: "ulimit -n 20000",
};

/** Makes the requests of a load. */
export type RequestSource = LoadPlan["request"];

/** A request of a load, without the address it comes from. */
interface Sketch {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
  /** Whether it is one of the chat API, with the account's key. */
  readonly isChat: boolean;
}

/**
 * Creates a channel, messages and links, and returns the loads by name, each of many people at addresses of their own.
 * Of ten requests of the mixed load, three read the newest 50 messages, two send one, one lists the users, one reads the
 * own account, one shortens a URL and two visit a link. The requests of "one account" come from this machine.
 */
export async function prepareLoads(server: TestServer, people: ChatPeople) {
  const channelId = await createChannel(server, people);
  const shorts = await createLinks(server);
  const visit = (number: number) => toVisit(shorts[number % LINKS] ?? "/");
  const send = (number: number) => toMessage(channelId, number);
  const read = () => toRead("/api/v1/messages?anchor=newest&num_before=50&num_after=0");
  const readAll = () => toRead(`/api/v1/messages?anchor=newest&num_before=${MESSAGES}&num_after=0`);
  const list = () => toRead("/api/v1/users");
  const readOwn = () => toRead("/api/v1/users/me");
  const one = toBytes(readOwn(), people.owner, null);
  return {
    resolve: createSource(people, [visit]),
    account: createSource(people, [readOwn]),
    reading: createSource(people, [readAll]),
    messages: createSource(people, [send]),
    mixed: createSource(people, [read, send, visit, list, read, toLink, send, readOwn, read, visit]),
    "one account": () => one,
  } satisfies Record<string, RequestSource>;
}

function createSource(
  { owner, members }: ChatPeople,
  sketches: readonly ((number: number) => Sketch)[],
): RequestSource {
  return (number) => {
    const sketch = sketches[number % sketches.length] ?? toLink;
    const at = number % ADDRESSES;
    return toBytes(sketch(number), members[at % members.length] ?? owner, `10.0.${at >> 8}.${at & 255}`);
  };
}

async function createChannel(server: TestServer, { owner, members }: ChatPeople): Promise<number> {
  const subscribers = JSON.stringify(members.map(({ id }) => id));
  const post = (path: string, form: Record<string, string>) =>
    callSotto(server, { user: owner, method: "POST", path: `/api/v1/${path}`, form });
  const { id } = await post("channels/create", { name: "load", subscribers });
  for (let at = 0; at < MESSAGES; at++) {
    await post("messages", { type: "channel", to: String(id), topic: "load", content: `Message ${at}.` });
  }
  return Number(id);
}

async function createLinks(server: TestServer): Promise<string[]> {
  const shorts: string[] = [];
  for (let at = 0; at < LINKS; at++) {
    const { path, method, body = "" } = toLink(at);
    const response = await server.fetch(path, { method, headers: { "content-type": JSON_TYPE }, body });
    const { short } = await response.json();
    shorts.push(`/${encodeURIComponent(short)}`);
  }
  return shorts;
}

function toRead(path: string): Sketch {
  return { method: "GET", path, isChat: true };
}

function toVisit(path: string): Sketch {
  return { method: "GET", path, isChat: false };
}

function toMessage(channelId: number, number: number): Sketch {
  const body = `type=channel&to=${channelId}&topic=load&content=Message+${number}`;
  return { method: "POST", path: "/api/v1/messages", type: FORM_TYPE, body, isChat: true };
}

function toLink(number: number): Sketch {
  const body = JSON.stringify({ url: `https://example.com/${number}` });
  return { method: "POST", path: "/", type: JSON_TYPE, body, isChat: false };
}

/** Returns a request as it goes over the wire. */
function toBytes(
  { method, path, type, body = "", isChat }: Sketch,
  user: LoadUser,
  address: string | null,
): Uint8Array<ArrayBuffer> {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...(address === null ? [] : [`X-Forwarded-For: ${address}`]),
    ...(isChat ? [`Authorization: ${user.authorization}`] : []),
    ...(type === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]),
  ];
  return encoder.encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
