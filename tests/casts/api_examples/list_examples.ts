import { listConversationExamples } from "@/tests/casts/write_examples_conversations.ts";
import { listPeopleExamples } from "@/tests/casts/write_examples_people.ts";
import type { ApiExample } from "@/tests/casts/write_examples.ts";
import type { ExampleCast } from "./cast.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { listReadExamples } from "./reading.ts";

/** A valid request of an operation of `/openapi.json`. */
export interface OperationExample {
  /** Method and path as the description has them. */
  readonly operation: string;
  /** Parameters by name, wherever they are sent. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Value of the `Authorization` header. */
  readonly authorization: string | null;
  /** Status of the answer; 200 by default. */
  readonly status?: number;
  /** Shortens an answer that would fill pages, or replaces what differs in each run. */
  readonly adapt?: (body: Record<string, unknown>) => unknown;
}

/** Lists a request of each operation. */
export function listOperationExamples(cast: ExampleCast): readonly OperationExample[] {
  const api = [
    ...listReadExamples(cast),
    ...listPeopleExamples(cast),
    ...listConversationExamples(cast),
  ];
  return [
    ...api.map((example) => toOperationExample(cast, example)),
    ...listOthers(cast),
    ...listLinks(cast),
    ...listLong(cast),
  ];
}

function toOperationExample(cast: ExampleCast, [endpoint, params = {}, options = {}]: ApiExample) {
  const { by = cast.owner, ids = {}, refusal } = options;
  const [method = "", path = ""] = endpoint.split(" ");
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
    [name, ids[name] ?? cast.samples[name]] as const
  );
  return {
    operation: `${method} /api/v1${path}`,
    values: { ...Object.fromEntries(inPath), ...params },
    authorization: options.authorization ?? (by === null ? null : basic(by.email, by.apiKey)),
    ...(refusal === undefined ? {} : { status: refusal }),
  };
}

function listOthers({ samples, short, pictures, realm, owner }: ExampleCast): readonly OperationExample[] {
  const id = decodeURIComponent(short.slice(1));
  const [, realmId, avatar] = pictures.avatar;
  const [, , emoji] = pictures.emoji;
  const others: readonly (readonly [operation: string, values?: OperationExample["values"]])[] = [
    ["POST /api/v1/external/json", { api_key: samples["webhook_key"], stream: "Garden", text: "It rains." }],
    ["GET /avatar/{id}", { id: owner.id }],
    ["GET /avatar/{id}/medium", { id: owner.id }],
    ["GET /avatar/{id}/{picture}", { id: realmId, picture: avatar }],
    ["GET /emoji/{realm_id}/{emoji_id}", { realm_id: realm.id, emoji_id: emoji }],
    ["GET /health"],
    ["GET /metrics"],
    ["GET /ready"],
    ["GET /stats"],
    ["GET /stats/badges/urls"],
    ["GET /stats/badges/version"],
    ["GET /stats/badges/visits"],
    ["GET /{short}", { short: id }],
    ["GET /{short}/stats", { short: id }],
  ];
  return [
    ...others.map(([operation, values = {}]) => ({ operation, values, authorization: null })),
    { operation: "POST /", values: { url: "https://example.com/new" }, authorization: null, status: 201 },
  ];
}

function listLinks({ short, owner }: ExampleCast): readonly OperationExample[] {
  const id = decodeURIComponent(short.slice(1));
  const authorization = basic(owner.email, owner.apiKey);
  const examples:
    readonly (readonly [operation: string, values?: OperationExample["values"], status?: number])[] = [
      ["GET /links", { q: "example kept", order: "newest" }],
      [
        "POST /links",
        { url: "https://example.com/new", title: "New page", tags: ["news"], maxVisits: 100 },
        201,
      ],
      ["PATCH /links", { shorts: [id], addedTags: ["kept"] }],
      ["DELETE /links", { shorts: [id], visits: "keep" }],
      ["GET /links/{short}", { short: id }],
      ["PATCH /links/{short}", { short: id, title: "Kept page", expiresAt: "2099-12-31T23:00:00Z" }],
      ["DELETE /links/{short}", { short: id, visits: "delete" }],
      ["GET /links/{short}/qr", { short: id, format: "png" }],
      ["GET /blocked-hosts"],
      ["POST /blocked-hosts", { host: "spam.example" }, 201],
      ["DELETE /blocked-hosts/{host}", { host: "blocked.example" }],
    ];
  return examples.map(([operation, values = {}, status]) => ({
    ...{ operation, values, authorization },
    ...(status === undefined ? {} : { status }),
  }));
}

function listLong({ member, queueId }: ExampleCast): readonly OperationExample[] {
  return [
    {
      operation: "GET /api/v1/events",
      values: { queue_id: queueId, last_event_id: -1, dont_block: true },
      authorization: basic(member.email, member.apiKey),
      // The ids of events depend on the number of commits.
      adapt: ({ events, ...body }) => ({ ...body, events: renumber(events) }),
    },
    {
      operation: "GET /emoji/names.json",
      values: {},
      authorization: null,
      adapt: ({ code_to_names }) => ({ code_to_names: Object.fromEntries(firstEntries(code_to_names)) }),
    },
    {
      operation: "GET /openapi.json",
      values: {},
      authorization: null,
      adapt: ({ openapi, info }) => ({ openapi, info }),
    },
  ];
}

function renumber(events: unknown): unknown {
  return Array.isArray(events) ? events.map((event, at) => ({ ...event, id: 1000 * (at + 1) })) : events;
}

function firstEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(value ?? {}).slice(0, 2);
}
