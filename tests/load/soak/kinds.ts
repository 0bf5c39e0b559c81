import type { ChatPeople, LoadUser } from "../chat_seeding.ts";
import { OWNER_EMAIL } from "../load_realm.ts";

/** Records that the requests name. */
export interface SoakScene {
  readonly people: ChatPeople;
  readonly ownerPassword: string;
  readonly channelId: number;
  /** Paths of short links. */
  readonly shorts: readonly string[];
  /** Id of a message that is flagged. */
  readonly messageId: number;
}

/** A kind of requests and its share of the load, relative to the others. */
export interface SoakKind {
  readonly name: string;
  readonly weight: number;
  readonly request: (scene: SoakScene, number: number) => SoakRequest;
}

/** A request without its headers for all kinds. */
interface SoakRequest {
  readonly method: string;
  readonly path: string;
  readonly user?: LoadUser | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Number of topics that messages are sent to. */
const TOPICS = 20;
const UPLOAD_BYTES = 20_000;
const BOUNDARY = "soak";
/** Addresses that the requests come from, one for each person. */
const NETWORK = "10.20.30";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const encoder = new TextEncoder();

function memberOf({ people: { members } }: SoakScene, number: number): LoadUser | undefined {
  return members[number % members.length];
}

function post(path: string, fields: Readonly<Record<string, string>>): SoakRequest {
  return { method: "POST", path, headers: FORM, body: String(new URLSearchParams(fields)) };
}

function read(path: string, query: Readonly<Record<string, string>>): SoakRequest {
  return { method: "GET", path: `${path}?${new URLSearchParams(query)}` };
}

/** All kinds of requests beside the waiting for events. */
export const SOAK_KINDS: readonly SoakKind[] = [
  {
    name: "visit",
    weight: 40,
    request: ({ shorts }, number) => ({ method: "GET", path: shorts[number % shorts.length] ?? "/" }),
  },
  {
    name: "shorten",
    weight: 8,
    request: (_, number) => ({
      method: "POST",
      path: "/",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: `https://example.com/soak/${number}` }),
    }),
  },
  {
    name: "send a message",
    weight: 8,
    request: (scene, number) => ({
      ...post("/api/v1/messages", {
        type: "channel",
        to: String(scene.channelId),
        topic: `topic ${number % TOPICS}`,
        content: `Message ${number} about the beds by the wall`,
      }),
      user: memberOf(scene, number),
    }),
  },
  {
    name: "read the newest messages",
    weight: 10,
    request: (scene, number) => ({
      ...read("/api/v1/messages", { anchor: "newest", num_before: "50", num_after: "0" }),
      user: memberOf(scene, number),
    }),
  },
  {
    name: "read a topic",
    weight: 6,
    request: (scene, number) => ({
      ...read("/api/v1/messages", {
        ...{ anchor: "newest", num_before: "50", num_after: "0" },
        narrow: JSON.stringify([
          { operator: "channel", operand: scene.channelId },
          { operator: "topic", operand: `topic ${number % TOPICS}` },
        ]),
      }),
      user: memberOf(scene, number),
    }),
  },
  {
    name: "flag a message",
    weight: 4,
    request: (scene, number) => ({
      ...post("/api/v1/messages/flags", {
        messages: JSON.stringify([scene.messageId]),
        op: number % 2 === 0 ? "add" : "remove",
        flag: "starred",
      }),
      user: memberOf(scene, number),
    }),
  },
  {
    name: "report presence",
    weight: 8,
    request: (scene, number) => ({
      ...post("/api/v1/users/me/presence", { status: "active", new_user_input: "true" }),
      user: memberOf(scene, number),
    }),
  },
  {
    name: "statistics",
    weight: 2,
    request: () => ({ method: "GET", path: "/stats" }),
  },
  {
    name: "upload",
    weight: 2,
    request: (scene, number) => ({ ...toUpload(number), user: memberOf(scene, number) }),
  },
  {
    name: "sign in",
    weight: 0.5,
    request: ({ ownerPassword }) => {
      const form = post("/login", { username: OWNER_EMAIL, password: ownerPassword });
      return { ...form, headers: { ...FORM, accept: "text/html", "sec-fetch-site": "same-origin" } };
    },
  },
];

function toUpload(number: number): SoakRequest {
  const head =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="soak-${number}.txt"\r\n` +
    "content-type: text/plain\r\n\r\n";
  return {
    method: "POST",
    path: "/api/v1/user_uploads",
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${head}${"soak ".repeat(UPLOAD_BYTES / 5)}\r\n--${BOUNDARY}--\r\n`,
  };
}

/**
 * Returns an order in which each item comes in proportion to its weight, as evenly as possible; the order
 * repeats.
 */
export function interleave(weights: readonly number[], length = 200): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const credits = weights.map(() => 0);
  return Array.from({ length }, () => {
    for (const [at, weight] of weights.entries()) credits[at] = (credits[at] ?? 0) + weight;
    const next = credits.indexOf(Math.max(...credits));
    credits[next] = (credits[next] ?? 0) - total;
    return next;
  });
}

/** Returns the bytes of a request. */
export function toBytes(
  { method, path, user, headers = {}, body = "" }: SoakRequest,
  number: number,
): Uint8Array<ArrayBuffer> {
  const bytes = encoder.encode(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `x-forwarded-for: ${NETWORK}.${1 + number % 250}`,
    ...Object.entries({ ...headers, ...(user && { authorization: user.authorization }) })
      .map(([name, value]) => `${name}: ${value}`),
    `content-length: ${bytes.length}`,
  ];
  return encoder.encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
}
