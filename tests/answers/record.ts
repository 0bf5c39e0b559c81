import { partition } from "es-toolkit/array/partition";
import { startFullOrganization, TEST_SIZE } from "@/tests/casts/full_organization_cast.ts";
import { startWriteCast, type WriteCast } from "@/tests/casts/write_cast.ts";
import { toApiWrite, type WriteExample } from "@/tests/casts/write_examples.ts";
import { listConversationExamples } from "@/tests/casts/write_examples_conversations.ts";
import { listAccountForms, listAdminForms, listOtherExamples } from "@/tests/casts/write_examples_pages.ts";
import { listPeopleExamples } from "@/tests/casts/write_examples_people.ts";
import { listAllRoutes } from "@/tests/helpers/admin_routes.ts";
import { ApiDescription } from "@/tests/helpers/api_walk.ts";
import { basic, type TestChat, type TestUser } from "@/tests/helpers/chat.ts";
import { forgetReads } from "@/tests/helpers/forget_reads.ts";
import { signIn } from "@/tests/helpers/pages.ts";
import { type Answer, readAnswer } from "./answer.ts";

/** Paths that wait, or whose answer says how the process is. */
const OTHERS = /^\/(?:health|ready|metrics|openapi\.json)$|\/events$/;
/** Pages outside the administration. */
const PAGES = ["/", "/account", "/docs", "/login", "/forgot-password", "/nothing/here"];

/** Writes after which others are refused: those that end an account, its key, or the organization. */
const ENDING =
  /DELETE \S*\/(?:users|bots)|regenerate|rotate|deactivate|delete|sessions|password|confirm-email/i;

/** Sender of a request; an account of another organization presents its credentials here. */
interface Caller {
  readonly name: string;
  readonly user: TestUser | null;
  /** Session cookie; empty without one. */
  readonly cookie: string;
}

/** Something that is read: a path of the API or a page, with a query. */
interface Read {
  readonly path: string;
  readonly isPage: boolean;
}

/**
 * Sends every operation of `/openapi.json` and every page to an organization with a record of each kind, as callers of each
 * kind: what reads; each write on the same state; writes in a row, with the events that every caller gets, and what reads
 * again before those that end accounts. Then sends what reads to an organization with many records.
 */
export async function* recordAnswers(): AsyncGenerator<Answer> {
  {
    await using cast = await startWriteCast();
    const callers = await listCallers(cast);
    const reads = await listReads(cast);
    yield* sendReads(cast, { stage: "first", callers, reads });
    yield* sendEach(cast);
    const [ending, others] = partition(await listWrites(cast), ({ endpoint }) => ENDING.test(endpoint));
    yield* sendInARow(cast, callers, others);
    yield* sendReads(cast, { stage: "last", callers, reads });
    yield* sendInARow(cast, callers, ending);
  }
  await using full = await startFullOrganization(TEST_SIZE);
  const { owner, member, guest } = full;
  const callers = await Promise.all(
    Object.entries({ owner, member, guest }).map(([name, user]) => toCaller(full, name, user)),
  );
  yield* sendReads(full, { stage: "many records", callers, reads: await listReads(full) });
}

async function toCaller(chat: TestChat, name: string, user: TestUser | null): Promise<Caller> {
  const isPerson = user !== null && !["bot", "outsider"].includes(name);
  return { name, user, cookie: isPerson ? `sotto_session=${(await signIn(chat, user)).token()}` : "" };
}

async function listCallers(chat: TestChat): Promise<Caller[]> {
  const { owner, admin, moderator, member, guest, bot, outsider } = chat;
  const users = { owner, admin, moderator, member, guest, bot, outsider, nobody: null };
  return await Promise.all(Object.entries(users).map(([name, user]) => toCaller(chat, name, user)));
}

/** Lists what reads, with samples of the path's parameters. */
async function listReads(chat: TestChat | WriteCast): Promise<Read[]> {
  const { operations } = await ApiDescription.read();
  const samples: Readonly<Record<string, unknown>> = "samples" in chat
    ? chat.samples
    : { stream_id: 1, message_id: 1 };
  const fill = (path: string) =>
    path.replace(
      /\[(\w+)\]|\{(\w+)\}/g,
      (_, one = "", other = "") => encodeURIComponent(String(samples[one + other] ?? 1)),
    );
  const described = operations.filter(({ method, path }) => method === "GET" && !OTHERS.test(path)).map(
    (operation) => {
      const needed = operation.params.filter((param) => param.in === "query" && param.isRequired);
      const query = needed.map(({ name, schema }) => `${name}=${encodeURIComponent(sampleOf(name, schema))}`)
        .join("&");
      return { path: `${fill(operation.path)}${query === "" ? "" : `?${query}`}`, isPage: false };
    },
  );
  const routes = await listAllRoutes(chat.services);
  const pages = routes.map(({ path }) => path).filter((path) => path.startsWith("/admin"));
  return [...described, ...[...PAGES, ...pages].map((path) => ({ path: fill(path), isPage: true }))];
}

function sampleOf(name: string, schema: { readonly type?: unknown }): string {
  const byName: Readonly<Record<string, string>> = {
    anchor: "newest",
    narrow: "[]",
    msg_ids: "[1]",
    stream: "Garden",
  };
  return byName[name] ?? (schema.type === "string" ? "a" : "10");
}

interface ReadRound {
  readonly stage: string;
  readonly callers: readonly Caller[];
  readonly reads: readonly Read[];
}

async function* sendReads(chat: TestChat, { stage, callers, reads }: ReadRound): AsyncGenerator<Answer> {
  for (const { path, isPage } of reads) {
    for (const caller of callers) {
      if (isPage && caller.cookie === "" && caller.user !== null) continue;
      const headers = isPage ? { accept: "text/html", cookie: caller.cookie } : credentialsOf(caller);
      const response = await chat.request(path, { headers });
      yield await readAnswer(`${stage}: ${caller.name} GET ${path}`, response);
    }
  }
}

function credentialsOf({ user }: Caller): HeadersInit {
  return user === null ? {} : { authorization: basic(user.email, user.apiKey) };
}

async function listWrites(cast: WriteCast): Promise<readonly WriteExample[]> {
  const api = [...listPeopleExamples(cast), ...listConversationExamples(cast)].map((one) =>
    toApiWrite(cast, one)
  );
  return [...api, ...listOtherExamples(cast), ...listAccountForms(cast), ...await listAdminForms(cast)];
}

/** Sends each write on the same state. */
async function* sendEach(cast: WriteCast): AsyncGenerator<Answer> {
  await cast.faulty.takeSnapshot();
  for (const { endpoint, send } of await listWrites(cast)) {
    yield await readAnswer(endpoint, await send());
    await settle(cast);
    await cast.faulty.restore();
    forgetReads(cast.services);
  }
}

/** Sends writes in a row, and after each reads the events that every caller gets. */
async function* sendInARow(
  cast: WriteCast,
  callers: readonly Caller[],
  writes: readonly WriteExample[],
): AsyncGenerator<Answer> {
  const queues: { readonly caller: Caller; readonly id: string; last: number }[] = [];
  for (const caller of callers) {
    if (caller.user === null || caller.name === "outsider") continue;
    // Earlier writes may have ended the account.
    const { body } = await cast.call(caller.user, "POST /register");
    if (body["result"] === "success") {
      queues.push({ caller, id: body["queue_id"], last: body["last_event_id"] });
    }
  }
  for (const { endpoint, send } of writes) {
    yield await readAnswer(`in a row: ${endpoint}`, await send());
    await settle(cast);
    for (const queue of queues) {
      const path = `/api/v1/events?queue_id=${queue.id}&last_event_id=${queue.last}&dont_block=true`;
      const response = await cast.request(path, { headers: credentialsOf(queue.caller) });
      const { events = [] } = await response.clone().json();
      queue.last = events.at(-1)?.id ?? queue.last;
      yield await readAnswer(`events of ${queue.caller.name} after ${endpoint}`, response);
    }
  }
}

/** Waits for what the server does after its answers. */
async function settle({ services: { links, chat } }: WriteCast): Promise<void> {
  await Promise.all([links.creation.drain(), links.visits.drain()]);
  await Promise.all([chat.messageCommitter.drain(), chat.presenceCommitter.drain()]);
}
