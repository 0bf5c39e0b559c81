import { dirname } from "node:path";
import { messageKeys } from "@/lib/chat/messages/model.ts";
import { callSotto } from "./call.ts";
import { compare, type Contender } from "./compare.ts";
import { OWNER_EMAIL } from "./load_realm.ts";
import { type ReadingStore, readReadingStore, SEARCHED_WORD, seedReading } from "./reading_seeding.ts";
import { kept } from "./seeding.ts";
import { startBareList, startSotto, type Target } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toRateRows } from "./table.ts";
import type { Load } from "./wrk.ts";

/** Connections of requests that take some milliseconds each, and of the list that a bare server is compared with. */
const FEW_CONNECTIONS = 4;
const LIST_CONNECTIONS = 8;
const LISTED = 100;
/** Messages that mention everyone and have a link, so that narrows find as many as a request returns. */
const MENTIONS = 120;
/** Narrows of which each finds messages of the owner. */
const NARROWS = [["is", "mentioned"], ["has", "link"], ["sender", OWNER_EMAIL]] as const;
const WITH_WORD = { operator: "search", operand: SEARCHED_WORD };

/** A server on a copy of the store, and the file of the credentials of everyone. */
interface Bench {
  readonly sotto: Target;
  readonly store: ReadingStore;
  readonly path: string;
  readonly credentials: string;
}

/** Registering, searching and getting messages in an organization of common size, each request by another user. */
export async function measureReading(stores: Stores): Promise<Row[]> {
  const original = await kept(`${dirname(stores.folder)}/reading.kv`, seedReading);
  const [path, copy] = [stores.empty(), stores.empty()];
  await Deno.copyFile(original, path);
  await Deno.copyFile(original, copy);
  const store = await readReadingStore(path);
  const credentials = await Deno.makeTempFile({ dir: stores.folder, prefix: "readers-" });
  const { owner, members } = store.people;
  await Deno.writeTextFile(
    credentials,
    [owner, ...members].map(({ authorization }) => authorization).join("\n"),
  );
  await using sotto = await startSotto(path);
  const bench: Bench = { sotto, store, path: copy, credentials };
  return [
    ...await measure("POST /register, 400 users", "≥ 100 /s", toContender(bench, "/api/v1/register", "POST")),
    ...await measure(
      "GET /messages with a word",
      "≥ 300 /s",
      toContender(bench, toPath(LISTED, [WITH_WORD])),
    ),
    ...await measure("GET /messages, the newest 1,000", "≥ 80 /s", toContender(bench, toPath(1000))),
    ...await measure("GET /users, 400 users", "≥ 1,000 /s", toContender(bench, "/api/v1/users")),
    ...await besideBare(bench),
    ...await narrowed(bench),
  ];
}

/** Narrows whose messages are found by indexes, among all messages of the organization. */
async function narrowed(bench: Bench): Promise<Row[]> {
  const { sotto, store: { people: { owner } } } = bench;
  for (let number = 0; number < MENTIONS; number++) {
    const content = `@**all** https://example.com/notes/${number}`;
    const form = { type: "channel", to: JSON.stringify("channel 0"), topic: "topic 0", content };
    await callSotto(sotto, { user: owner, method: "POST", path: "/api/v1/messages", form });
  }
  const rows: Row[] = [];
  for (const [operator, operand] of NARROWS) {
    const contender = toContender(bench, toPath(LISTED, [{ operator, operand }]));
    rows.push(...await measure(`GET /messages, ${operator}:${operand}`, "≥ 500 /s", contender));
  }
  return rows;
}

async function besideBare(bench: Bench): Promise<Row[]> {
  const prefix = messageKeys.messages(bench.store.realmId);
  await using bare = await startBareList(bench.path, prefix, LISTED);
  const toLoad = (narrow: readonly object[]): Load => ({
    ...toContender(bench, toPath(LISTED, narrow)).load,
    connections: LIST_CONNECTIONS,
  });
  const ofChannel = toLoad([{ operator: "channel", operand: "channel 1" }]);
  printLine(`measuring: the newest ${LISTED} messages …`);
  return toRateRows(
    `GET /messages, the newest ${LISTED}, ${LIST_CONNECTIONS} connections`,
    "≥ 0.45",
    await compare([
      { name: `bare, a list of ${LISTED}`, server: bare, load: ofChannel },
      { name: "Sotto, of a channel", server: bench.sotto, load: ofChannel },
      { name: "Sotto, of all conversations", server: bench.sotto, load: toLoad([]) },
    ]),
  );
}

function toPath(count: number, narrow: readonly object[] = []): string {
  const query = `anchor=newest&num_before=${count}&num_after=0`;
  return `/api/v1/messages?${query}&narrow=${encodeURIComponent(JSON.stringify(narrow))}`;
}

function toContender({ sotto, credentials }: Bench, path: string, method = "GET"): Contender {
  const load: Load = {
    script: "chat_read.lua",
    args: [path, credentials, method],
    connections: FEW_CONNECTIONS,
  };
  return { name: "Sotto", server: sotto, load };
}

async function measure(what: string, aim: string, contender: Contender): Promise<Row[]> {
  printLine(`measuring: ${what} …`);
  return toRateRows(`${what}, ${FEW_CONNECTIONS} connections`, "", await compare([contender])).map((row) => ({
    ...row,
    ratio: "",
    aim,
  }));
}
