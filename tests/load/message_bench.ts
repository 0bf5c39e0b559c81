import { dirname } from "node:path";
import { callSotto } from "./call.ts";
import type { LoadUser } from "./chat_seeding.ts";
import { compare, type Contender } from "./compare.ts";
import {
  AUDIENCES,
  FEW_MESSAGES,
  LONG_TOPIC,
  MANY_MESSAGES,
  type MessageStore,
  readMessageStore,
  seedMessages,
  SHORT_TOPIC,
} from "./message_seeding.ts";
import { kept } from "./seeding.ts";
import { startBare, startBareChat, startSotto, type Target } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toRateRows } from "./table.ts";
import { createReadLoad, createWriteLoad, type Write } from "./user_loads.ts";
import type { Load } from "./wrk.ts";

const CONNECTIONS = 64;
/** For long answers, which would else wait behind each other. */
const FEW_CONNECTIONS = 8;
/** Reads of the store that a bare server makes for one message: who asks, the organization, the message. */
const BARE_READS = 3;

/** Servers and stores of a measurement. */
interface Bench {
  readonly stores: Stores;
  readonly sotto: Target;
  readonly store: MessageStore;
}

/** Sending, getting and marking messages, in channels with few and many subscribers and messages. */
export async function measureMessages(stores: Stores): Promise<Row[]> {
  const original = await kept(`${dirname(stores.folder)}/messages.kv`, (path) => {
    printLine("filling a store with messages; this takes some minutes, once …");
    return seedMessages(path);
  });
  const path = stores.empty();
  await Deno.copyFile(original, path);
  const store = await readMessageStore(path);
  await using sotto = await startSotto(path);
  const bench = { stores, sotto, store };
  return [
    ...await oneMessage(bench),
    ...await manyMessages(bench),
    ...await markings(bench),
    ...await sendings(bench),
    ...await sendingBesideBare(bench),
  ];
}

async function oneMessage({ stores, sotto, store }: Bench): Promise<Row[]> {
  const path = `/api/v1/messages/${store.messageId}`;
  const answer = `${stores.folder}/message.json`;
  const got = await callSotto(sotto, { user: store.people.members[0], method: "GET", path });
  await Deno.writeTextFile(answer, JSON.stringify(got));
  await using bare = await startBareChat(stores.empty(), answer, BARE_READS);
  const load = await createReadLoad(stores.folder, path, activeUsers(store));
  return await versus(`GET /messages/{id}, ${CONNECTIONS} connections`, "≥ 0.4", [
    { name: `bare, ${BARE_READS} reads`, server: bare, load },
    { name: "Sotto", server: sotto, load },
  ]);
}

async function manyMessages({ stores, sotto, store }: Bench): Promise<Row[]> {
  const toContender = async (channelId: number, count: number): Promise<Contender> => {
    const narrow = encodeURIComponent(JSON.stringify([{ operator: "channel", operand: channelId }]));
    const path = `/api/v1/messages?anchor=newest&num_before=100&num_after=0&narrow=${narrow}`;
    const load = await createReadLoad(stores.folder, path, activeUsers(store));
    return {
      name: `of ${count.toLocaleString("en")}`,
      server: sotto,
      load: { ...load, connections: FEW_CONNECTIONS },
    };
  };
  return await versus(`GET /messages, the newest 100, ${FEW_CONNECTIONS} connections`, "≥ 0.8", [
    await toContender(store.few, FEW_MESSAGES),
    await toContender(store.many, MANY_MESSAGES),
  ]);
}

async function markings({ stores, sotto, store }: Bench): Promise<Row[]> {
  const toContender = async ({ name, size }: { name: string; size: number }): Promise<Contender> => {
    const body = `stream_id=${store.many}&topic_name=${name}`;
    const write: Write = { path: "/api/v1/mark_topic_as_read", bodies: [body, body] };
    const load = await createWriteLoad(stores.folder, write, activeUsers(store));
    return { name: `${size.toLocaleString("en")} messages`, server: sotto, load };
  };
  return await versus(`POST /mark_topic_as_read, ${CONNECTIONS} connections`, "≥ 0.8", [
    await toContender(SHORT_TOPIC),
    await toContender(LONG_TOPIC),
  ]);
}

async function sendings({ stores, sotto, store }: Bench): Promise<Row[]> {
  const contenders: Contender[] = [];
  for (const [at, channelId] of store.audiences.entries()) {
    const load = await sending(stores, store, channelId);
    contenders.push({ name: `${AUDIENCES[at]?.toLocaleString("en")} subscribers`, server: sotto, load });
  }
  return await versus(`POST /messages, ${CONNECTIONS} connections`, "≥ 0.8", contenders);
}

async function sendingBesideBare({ stores, sotto, store }: Bench): Promise<Row[]> {
  await using bare = await startBare(stores.empty());
  return await versus("POST /messages beside the bare commit", "for information", [
    { name: "bare, one small record", server: bare, load: { script: "shorten.lua", args: [] } },
    { name: "Sotto", server: sotto, load: await sending(stores, store, store.audiences[0] ?? 0) },
  ]);
}

function sending(stores: Stores, store: MessageStore, channelId: number): Promise<Load> {
  const toBody = (content: string) => `type=channel&to=${channelId}&topic=load&content=${content}`;
  const bodies = [
    toBody("The+first+of+*two*+messages"),
    toBody("And+the+other%2C+which+answers+it"),
  ] as const;
  return createWriteLoad(stores.folder, { path: "/api/v1/messages", bodies }, activeUsers(store));
}

/** Returns a user for each connection. */
function activeUsers({ people }: MessageStore): readonly LoadUser[] {
  return people.members.slice(0, CONNECTIONS);
}

/** One row for each; the ratios are to the first. */
async function versus(what: string, aim: string, contenders: readonly Contender[]): Promise<Row[]> {
  printLine(`measuring: ${what} …`);
  return toRateRows(what, aim, await compare(contenders));
}
