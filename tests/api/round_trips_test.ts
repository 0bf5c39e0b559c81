import assert from "node:assert/strict";
import { type RoundTripsCast, startRoundTripsCast } from "@/tests/casts/round_trips_cast.ts";
import { jsonBody } from "@/tests/helpers/app.ts";
import type { RoundTrips } from "@/tests/helpers/round_trips.ts";

/** Sends a call; `nth` differs each time. */
type Send = (cast: RoundTripsCast, nth: number) => Promise<unknown>;

/** Number of times that a call is measured: turns of a busy machine can divide a step, but not each time. */
const ROUNDS = 5;
const NEWEST = { anchor: "newest", num_before: 30, num_after: 0 };

/** Bounds of each call on a server that has answered it before: calls of the store, and steps one after another. */
const BOUNDS: readonly [name: string, bound: RoundTrips, send: Send][] = [
  ["GET /events", { calls: 7, steps: 7 }, async ({ call, queueIds }, nth) => {
    const params = { queue_id: queueIds[nth], last_event_id: -1, dont_block: true };
    const { events } = await call("GET /events", params);
    assert.ok(Array.isArray(events) && events.length === 1);
  }],
  [
    "POST /messages to a channel",
    { calls: 4, steps: 4 },
    ({ call, channelId }, nth) =>
      call("POST /messages", { type: "channel", to: channelId, topic: "plans", content: `seed ${nth}` }),
  ],
  [
    "POST /messages to a user",
    { calls: 4, steps: 4 },
    ({ call, ownerId }, nth) =>
      call("POST /messages", { type: "direct", to: [ownerId], content: `seed ${nth}` }),
  ],
  [
    "GET /messages of a topic",
    { calls: 8, steps: 5 },
    ({ call, channelId }) =>
      call("GET /messages", { ...NEWEST, narrow: [["channel", channelId], ["topic", "plans"]] }),
  ],
  [
    "GET /messages of all conversations",
    { calls: 9, steps: 6 },
    ({ call }) => call("GET /messages", NEWEST),
  ],
  [
    "GET /messages with a word",
    { calls: 12, steps: 7 },
    ({ call }) => call("GET /messages", { ...NEWEST, narrow: [["search", "leaf"]] }),
  ],
  [
    "PATCH /messages/{message_id}",
    { calls: 6, steps: 6 },
    ({ call, ownMessageIds }, nth) =>
      call(`PATCH /messages/${ownMessageIds[nth]}`, { content: `seed ${nth}` }),
  ],
  [
    "POST /messages/flags",
    { calls: 7, steps: 7 },
    ({ call, messageIds }, nth) =>
      call("POST /messages/flags", { messages: [messageIds[nth]], op: "add", flag: "read" }),
  ],
  [
    "POST /messages/flags/narrow",
    { calls: 11, steps: 11 },
    ({ call, channelId, messageIds }, nth) =>
      call("POST /messages/flags/narrow", {
        ...{ anchor: messageIds[nth + ROUNDS], num_before: 0, num_after: 0, op: "add", flag: "read" },
        narrow: [["channel", channelId]],
      }),
  ],
  [
    "POST /messages/{message_id}/reactions",
    { calls: 7, steps: 7 },
    ({ call, messageIds }, nth) =>
      call(`POST /messages/${messageIds[nth]}/reactions`, { emoji_name: "octopus" }),
  ],
  ["POST /register", { calls: 27, steps: 13 }, ({ call }) => call("POST /register")],
  ["GET /users", { calls: 3, steps: 3 }, ({ call }) => call("GET /users")],
  ["GET /users/me", { calls: 3, steps: 3 }, ({ call }) => call("GET /users/me")],
  [
    "POST /users/me/presence",
    { calls: 5, steps: 5 },
    ({ call }) => call("POST /users/me/presence", { status: "active" }),
  ],
  [
    "POST /users/me/status",
    { calls: 5, steps: 5 },
    ({ call }, nth) => call("POST /users/me/status", { status_text: `seed ${nth}` }),
  ],
  [
    "POST /typing",
    { calls: 4, steps: 4 },
    ({ call, ownerId }) => call("POST /typing", { op: "start", type: "direct", to: [ownerId] }),
  ],
  [
    "PATCH /settings",
    { calls: 4, steps: 4 },
    ({ call }, nth) => call("PATCH /settings", { twenty_four_hour_time: nth % 2 === 0 }),
  ],
  [
    "GET /users/me/subscriptions",
    { calls: 3, steps: 3 },
    ({ call }) => call("GET /users/me/subscriptions"),
  ],
  [
    "POST /users/me/subscriptions",
    { calls: 10, steps: 10 },
    ({ call }, nth) => call("POST /users/me/subscriptions", { subscriptions: [{ name: `tools ${nth}` }] }),
  ],
  [
    "GET /users/me/{stream_id}/topics",
    { calls: 6, steps: 5 },
    ({ call, channelId }) => call(`GET /users/me/${channelId}/topics`),
  ],
  [
    "POST /drafts",
    { calls: 6, steps: 6 },
    ({ call, channelId }, nth) =>
      call("POST /drafts", {
        drafts: [{ type: "stream", to: [channelId], topic: "plans", content: `${nth}` }],
      }),
  ],
  ["POST /user_uploads", { calls: 6, steps: 6 }, ({ upload }, nth) => upload(`leaf ${nth}`)],
  [
    "GET /user_uploads/{realm_id_str}/{filename}",
    { calls: 7, steps: 7 },
    ({ download, file }) => download(file),
  ],
  [
    "POST / (shorten)",
    { calls: 3, steps: 3 },
    ({ visit }, nth) => visit("/", jsonBody({ url: `https://example.com/${nth}` })),
  ],
  ["GET /{short}", { calls: 3, steps: 3 }, ({ visit, link }) => visit(link)],
  ["GET /{short}/stats", { calls: 3, steps: 3 }, ({ visit, link }) => visit(`${link}/stats`)],
];

/** Measures a call again while it exceeds its bound, and returns the last round. */
async function measure(cast: RoundTripsCast, bound: RoundTrips, send: Send): Promise<RoundTrips> {
  await send(cast, 0);
  for (let nth = 1;; nth++) {
    const found = await cast.metered.measure(() => send(cast, nth));
    if (nth === ROUNDS || found.calls <= bound.calls && found.steps <= bound.steps) return found;
  }
}

Deno.test("no call of the API waits for the store more often than its bound", async (t) => {
  await using cast = await startRoundTripsCast();
  for (const [name, bound, send] of BOUNDS) {
    await t.step(name, async () => {
      const found = await measure(cast, bound, send);
      const isWithin = found.calls <= bound.calls && found.steps <= bound.steps;
      assert.ok(isWithin, `${JSON.stringify(found)} exceeds ${JSON.stringify(bound)}`);
    });
  }
});

Deno.test("a wrong key waits for the store as often for a known address as for an unknown one", async () => {
  await using cast = await startRoundTripsCast();
  const bound = { calls: 0, steps: 0 };
  const ofKnown = await measure(cast, bound, ({ refuse, memberEmail }) => refuse(memberEmail));
  const ofUnknown = await measure(cast, bound, ({ refuse }, nth) => refuse(`nobody${nth}@example.com`));
  assert.deepEqual(ofKnown, ofUnknown);
});
