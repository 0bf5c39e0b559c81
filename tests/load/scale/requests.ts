import { CHANNEL, type SceneRecords } from "./prepare_store.ts";

/** A word that both stores have in many messages. */
export const SEARCHED_WORD = "forecast";

/** A server with the credentials and records that requests need. */
export interface Scene extends SceneRecords {
  readonly url: string;
  /** The Authorization header of the owner. */
  readonly authorization: string;
  /** Cookie of the owner's session. */
  readonly cookie: string;
  /** Id of a message of the owner in the channel, and its topic. */
  readonly messageId: number;
  readonly topic: string;
}

/** A request that is measured; `number` differs in each repetition. */
export interface ScaleRequest {
  readonly name: string;
  readonly path: (scene: Scene, number: number) => string;
  readonly init?: (scene: Scene, number: number) => RequestInit;
}

type Fields = Readonly<Record<string, string>>;

const PAGES = [
  ...[
    "/admin",
    "/admin/users",
    "/admin/users?q=Holt",
    "/admin/channels",
    "/admin/groups",
    "/admin/invitations",
  ],
  ...["/admin/links", "/admin/links?q=compost", "/admin/stats", "/admin/links?order=visits"],
  ...["/admin/stats?days=all", "/admin/activity", "/admin/audit", "/admin/organization/permissions"],
];

function form(method: string, toFields: (scene: Scene, number: number) => Fields) {
  return (scene: Scene, number: number): RequestInit => ({
    method,
    body: new URLSearchParams(toFields(scene, number)),
  });
}

function narrowed(
  name: string,
  terms: (scene: Scene) => readonly (readonly [string, string])[],
): ScaleRequest {
  return {
    name: `GET /messages, ${name}`,
    path: (scene) => {
      const narrow = terms(scene).map(([operator, operand]) => ({ operator, operand }));
      const query = { anchor: "newest", num_before: "100", num_after: "0", narrow: JSON.stringify(narrow) };
      return `/api/v1/messages?${new URLSearchParams(query)}`;
    },
  };
}

/** Requests to the chat API and the shortener. */
const CALLS: readonly ScaleRequest[] = [
  {
    name: "POST / to shorten",
    path: () => "/",
    init: (_, number) => ({
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: `https://example.com/scale/${number}` }),
    }),
  },
  { name: "GET /{short}", path: ({ short }) => `/${encodeURIComponent(short)}` },
  { name: "GET /{short}/stats", path: ({ short }) => `/${encodeURIComponent(short)}/stats` },
  { name: "GET /stats", path: () => "/stats" },
  {
    name: "POST /messages to a channel",
    path: () => "/api/v1/messages",
    init: form("POST", ({ channelId, topic }, number) => ({
      ...{ type: "channel", to: String(channelId), topic },
      content: `Measured ${number}`,
    })),
  },
  {
    name: "POST /messages to a user",
    path: () => "/api/v1/messages",
    init: form("POST", ({ partnerId }, number) => ({
      ...{ type: "direct", to: JSON.stringify([partnerId]) },
      content: `Measured ${number}`,
    })),
  },
  narrowed("newest 100", () => []),
  narrowed("of a topic", ({ topic }) => [["channel", CHANNEL], ["topic", topic]]),
  narrowed("with a word", () => [["search", SEARCHED_WORD]]),
  narrowed("is:mentioned", () => [["is", "mentioned"]]),
  narrowed("is:dm", () => [["is", "dm"]]),
  {
    name: "PATCH /messages/{id}",
    path: ({ messageId }) => `/api/v1/messages/${messageId}`,
    init: form("PATCH", (_, number) => ({ content: `Edited ${number}` })),
  },
  {
    name: "POST and DELETE /messages/{id}/reactions",
    path: ({ messageId }) => `/api/v1/messages/${messageId}/reactions`,
    init: (scene, number) =>
      form(number % 2 === 0 ? "POST" : "DELETE", () => ({ emoji_name: "tada" }))(scene, number),
  },
  {
    name: "POST /messages/flags",
    path: () => "/api/v1/messages/flags",
    init: form("POST", ({ messageId }, number) => ({
      messages: JSON.stringify([messageId]),
      op: number % 2 === 0 ? "add" : "remove",
      flag: "starred",
    })),
  },
  { name: "POST /register", path: () => "/api/v1/register", init: form("POST", () => ({})) },
  { name: "GET /users", path: () => "/api/v1/users" },
  { name: "GET /streams", path: () => "/api/v1/streams" },
  { name: "GET /users/me/subscriptions", path: () => "/api/v1/users/me/subscriptions" },
  {
    name: "GET /users/me/{stream_id}/topics",
    path: ({ channelId }) => `/api/v1/users/me/${channelId}/topics`,
  },
  { name: "GET /realm/presence", path: () => "/api/v1/realm/presence" },
];

/** All requests that are measured. */
export const SCALE_REQUESTS: readonly ScaleRequest[] = [
  ...CALLS,
  ...PAGES.map((path) => ({ name: path, path: () => path })),
];

/**
 * Sends a request and returns the milliseconds until its answer had arrived.
 * @throws Error when it is refused.
 */
export async function timeRequest(
  { name, path, init }: ScaleRequest,
  scene: Scene,
  number: number,
): Promise<number> {
  const target = path(scene, number);
  const headers = new Headers(init?.(scene, number).headers);
  if (target.startsWith("/api/")) headers.set("authorization", scene.authorization);
  if (target.startsWith("/admin")) {
    headers.set("cookie", scene.cookie);
    headers.set("accept", "text/html");
  }
  const started = performance.now();
  const response = await fetch(scene.url + target, {
    ...init?.(scene, number),
    headers,
    redirect: "manual",
  });
  await response.arrayBuffer();
  const ms = performance.now() - started;
  if (response.status >= 400) throw new Error(`${name} answers ${response.status}`);
  return ms;
}
