import { callSotto } from "./call.ts";
import { compare } from "./compare.ts";
import { type ChatPeople, type LoadUser, seedChat } from "./chat_seeding.ts";
import { startBareChat, startSotto, type Target } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toRateRow, toRateRows } from "./table.ts";
import { type Load, type Measured, medianOf, runWrk } from "./wrk.ts";

const OWN_ACCOUNT = "/api/v1/users/me";
const READERS = 64;
const WRITERS = 16;
const WRITE_RUNS = 4;
const WRITE_SECONDS = 2;

/** Authenticated reads beside the bare limit. */
export async function measureChatReads(stores: Stores): Promise<Row[]> {
  const path = stores.empty();
  const { members } = await seedChat(path);
  await using sotto = await startSotto(path);
  const what = `own account, ${READERS} connections`;
  printLine(`measuring: ${what} …`);
  const readers = members.slice(0, READERS);
  const answer = await callSotto(sotto, { user: members[0], method: "GET", path: OWN_ACCOUNT });
  const file = `${stores.folder}/answer.json`;
  await Deno.writeTextFile(file, JSON.stringify(answer));
  const headers = `${stores.folder}/readers.txt`;
  await Deno.writeTextFile(headers, readers.map(({ authorization }) => authorization).join("\n"));
  await using bare = await startBareChat(stores.empty(), file);
  const load: Load = { script: "chat_read.lua", args: [OWN_ACCOUNT, headers] };
  const results = await compare([
    { name: "bare, two reads", server: bare, load },
    { name: "Sotto", server: sotto, load },
  ]);
  return toRateRows(what, "≥ 0.4", results);
}

/** Changes of people's own settings, and of who belongs to one group. */
export async function measureChatWrites(stores: Stores): Promise<Row[]> {
  const path = stores.empty();
  const people = await seedChat(path);
  await using sotto = await startSotto(path);
  return [
    await settingsRow(stores, sotto, people),
    await groupRow(stores, sotto, people),
  ];
}

function settingsRow(stores: Stores, sotto: Target, people: ChatPeople): Promise<Row> {
  const bodies = () => ["web_font_size_px=13", "web_font_size_px=14"] as const;
  return writeRow(stores, sotto, { people, method: "PATCH", path: "/api/v1/settings", bodies });
}

async function groupRow(stores: Stores, sotto: Target, people: ChatPeople): Promise<Row> {
  const created = await callSotto(sotto, {
    user: people.owner,
    method: "POST",
    path: "/api/v1/user_groups/create",
    form: {
      name: "Load",
      description: "",
      members: `[${people.owner.id}]`,
      can_manage_group: everyMember(people),
    },
  });
  const path = `/api/v1/user_groups/${created["group_id"]}/members`;
  const bodies = ({ id }: LoadUser) => [`add=[${id}]`, `delete=[${id}]`] as const;
  return await writeRow(stores, sotto, { people, method: "POST", path, bodies });
}

function everyMember({ members }: ChatPeople): string {
  return JSON.stringify({ direct_members: members.map(({ id }) => id), direct_subgroups: [] });
}

interface Writes {
  readonly people: ChatPeople;
  readonly method: string;
  readonly path: string;
  /** Bodies that a writer sends alternately. */
  readonly bodies: (user: LoadUser) => readonly [string, string];
}

/**
 * Measures writers that wait for each response. Each run uses other people, because the last one may have
 * left requests unfinished.
 */
async function writeRow(stores: Stores, sotto: Target, writes: Writes): Promise<Row> {
  const { people, method, path, bodies } = writes;
  const shown = path.replace("/api/v1", "").replace(/\/\d+/, "/{id}");
  const what = `${method} ${shown}, ${WRITERS} connections`;
  printLine(`measuring: ${what} …`);
  const runs: Measured[] = [];
  for (let run = 0; run <= WRITE_RUNS; run++) {
    const writers = people.members.slice(run * WRITERS, (run + 1) * WRITERS);
    const file = `${stores.folder}/writers.txt`;
    const lines = writers.map((user) => [...bodies(user), user.authorization].join("\t"));
    await Deno.writeTextFile(file, lines.join("\n"));
    const load: Load = {
      script: "chat_write.lua",
      args: [method, path, file],
      threads: WRITERS,
      connections: WRITERS,
    };
    const measured = await runWrk(sotto.url, load, WRITE_SECONDS);
    // The first run warms up.
    if (run > 0) runs.push(measured);
  }
  const middle = (pick: (run: Measured) => number) => medianOf(runs.map(pick));
  return toRateRow(what, "for information", {
    rate: middle(({ rate }) => rate),
    median: middle(({ median }) => median),
    p99: middle(({ p99 }) => p99),
  });
}
