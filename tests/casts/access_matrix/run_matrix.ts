import { partition } from "es-toolkit/array/partition";
import { zip } from "es-toolkit/array/zip";
import { keyText } from "@/lib/store/key.ts";
import { Cache } from "@/lib/store/cache.ts";
import { withoutName } from "@/tests/casts/hidden_accounts_cast.ts";
import { file, PNG } from "@/tests/casts/pictures_cast.ts";
import { systemGroup } from "@/tests/casts/user_groups_cast.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { type FlagCommits, watchFlagCommits } from "@/tests/helpers/flag_events.ts";
import { recordWrites, type WriteJournal } from "@/tests/helpers/write_journal.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import { isAdmitted, listCallers, type MatrixCaller } from "./callers.ts";
import {
  type MatrixOrganization,
  type MatrixTargets,
  missingTarget,
  type Target,
  type TargetOf,
} from "./organization.ts";
import { type Cell, type Outcome, type Row, titleOf } from "./row.ts";

/** A cell of the matrix and its outcome. */
export interface CellResult {
  readonly row: Row;
  readonly caller: MatrixCaller;
  /** Visibility of the object. */
  readonly object: string;
  readonly outcome: Outcome | `${number}`;
  /** Text of the answer. */
  readonly answer: string;
  /** Keys that a refused request wrote. */
  readonly writes: readonly string[];
}

/** Refusals of callers, which precede the reading of parameters and objects. */
const ROLE_REFUSALS = [
  "This endpoint does not accept bot requests.",
  "This endpoint only accepts bot requests.",
  "Not allowed for guest users",
  "Must be an organization administrator",
  "Must be an organization owner",
  "Only administrators of the root organization manage links.",
];

/** Outcomes of all cells, and the commits that changed flags of messages. */
export interface MatrixRun {
  readonly results: readonly CellResult[];
  readonly flagCommits: FlagCommits;
}

/** Sends the requests of all cells and returns their outcomes; every cell finds the organization unchanged. */
export async function runMatrix(
  { org, targets }: { org: MatrixOrganization; targets: MatrixTargets },
  rows: readonly Row[],
): Promise<MatrixRun> {
  const { kv } = org.chat.services.store;
  const journal = recordWrites(kv);
  const flagCommits = watchFlagCommits(kv);
  const results: CellResult[] = [];
  for (const caller of listCallers(org.chat, org.accounts)) {
    await adjust(org, caller);
    journal.forget();
    for (const row of rows) results.push(...await runRow({ org, targets, caller, journal }, row));
  }
  return { results, flagCommits };
}

/** Sets the settings of the organization that distinguish callers. */
async function adjust({ chat }: MatrixOrganization, { name }: MatrixCaller): Promise<void> {
  await succeed(chat, chat.owner, "PATCH /realm", {
    enable_spectator_access: name !== "none",
    can_access_all_users_group: {
      new: systemGroup(chat, name === "restricted" ? "role:members" : "role:everyone"),
    },
  });
}

interface RowRun extends Omit<Cell, "target"> {
  readonly journal: WriteJournal;
}

async function runRow(run: RowRun, row: Row): Promise<CellResult[]> {
  const { caller, targets } = run;
  const isList = row.request.isList === true || row.request.listsIds === true;
  const isOne = isList || row.kind === "nothing";
  const objects = Object.entries<TargetOf>(targets[row.kind]).map(([object, of]) => ({
    object,
    target: typeof of === "function" ? of(caller.name) : of,
  }));
  const absent = missingTarget(row.kind);
  const isExpected = ({ object }: typeof objects[number]) =>
    row.expected.get(object)?.get(caller.name) === "+";
  const [allowed, refused] = partition(objects, isExpected).map((some) => some.map(({ target }) => target));
  const answers = isOne
    ? await sendTogether(run, row, [absent])
    : await sendRow(run, row, { refused: [absent, ...refused ?? []], allowed: allowed ?? [] });
  const unknown = answers.get(absent) ?? NO_ANSWER;
  return objects.map(({ object, target }): CellResult => {
    const answer = answers.get(target) ?? unknown;
    const outcome = isList ? toListOutcome(row, answer, target) : toOutcome(row, [answer, target], unknown);
    const writes = answer.status < 400 ? [] : answer.writes;
    return { row, caller, object, outcome, answer: answer.text.slice(0, 300), writes };
  });
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly writes: readonly string[];
}

/** Stands for an answer that no row lacks. */
const NO_ANSWER: Answer = { status: 0, text: "", writes: [] };

function toOutcome(
  { kind }: Row,
  [answer, target]: readonly [Answer, Target],
  unknown: Answer,
): CellResult["outcome"] {
  const isUnknown = isSameAnswer([answer, target], [unknown, missingTarget(kind)]);
  const refusal = toRefusal(answer);
  // A refusal of the caller must not depend on the object.
  if (refusal !== null) return isUnknown || answer.status >= 500 ? refusal : "-";
  const isAllowed = answer.status < 400;
  // What changes something is allowed, even if it does the same without the object, such as creating it.
  if (isUnknown && kind !== "nothing" && !(isAllowed && answer.writes.length > 0)) return "?";
  return isAllowed ? "+" : "-";
}

function toListOutcome({ request }: Row, answer: Answer, { id, name }: Target): CellResult["outcome"] {
  const refusal = toRefusal(answer);
  if (refusal !== null) return refusal;
  if (answer.status >= 400) return "-";
  if (request.listsIds === true) return new RegExp(`[[,]${id}[\\],]`).test(answer.text) ? "+" : "?";
  // Names are strings of the JSON, or paragraphs of rendered messages.
  return answer.text.includes(`"${name}"`) || answer.text.includes(`>${name}<`) ? "+" : "?";
}

/** Returns the outcome of a request that was refused before its object mattered; null for others. */
function toRefusal({ status, text }: Answer): CellResult["outcome"] | null {
  if (status >= 500) return `${status}`;
  if (status === 401) return "!";
  return status >= 400 &&
      ROLE_REFUSALS.some((msg) => text.includes(`"msg":"${msg}"`) || text.includes(`"message":"${msg}"`))
    ? "x"
    : null;
}

/** Whether two answers are the same apart from the names of their objects. */
function isSameAnswer(one: readonly [Answer, Target], other: readonly [Answer, Target]): boolean {
  if (one[0].status !== other[0].status) return false;
  return one[0].text === other[0].text || toComparable(...one) === toComparable(...other);
}

/** Returns the text of an answer without what names the object and without random ids. */
function toComparable({ text }: Answer, { id, name }: Target): string {
  const random = text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "uuid");
  return withoutName(withoutName(random, name), id);
}

/**
 * Sends the requests of a row and returns the answers by target. Those that change nothing are sent at the same
 * time, so that they share reads of the store.
 */
async function sendRow(
  run: RowRun,
  row: Row,
  { refused, allowed }: Readonly<Record<"refused" | "allowed", readonly Target[]>>,
): Promise<Map<Target, Answer>> {
  const isReading = row.operation.startsWith("GET ") || !isAdmitted(run.caller);
  if (isReading) return await sendTogether(run, row, [...refused, ...allowed]);
  const answers = await sendTogether(run, row, refused);
  const hasWritten = [...answers.values()].some(({ writes }) => writes.length > 0);
  for (const target of hasWritten ? [...refused, ...allowed] : allowed) {
    for (const entry of await sendTogether(run, row, [target])) answers.set(...entry);
  }
  return answers;
}

/** Sends requests at the same time and restores the organization; a write counts for each of them. */
async function sendTogether(
  { journal, ...cell }: RowRun,
  row: Row,
  targets: readonly Target[],
): Promise<Map<Target, Answer>> {
  const answers = await Promise.all(targets.map((target) => sendCell(row, { ...cell, target })));
  const { keys } = journal;
  if (keys.length > 0) {
    // Versions count from their former values again, so a cached version may stand for other data.
    const isVersioned = keys.some(([, name]) => String(name).endsWith("_version"));
    await journal.undo();
    if (isVersioned) emptyCaches(cell.org);
  }
  const writes = keys.filter(([first]) => typeof first === "number").map(keyText);
  return new Map(zip(targets, answers.map((answer) => ({ ...answer, writes }))));
}

function emptyCaches({ chat }: MatrixOrganization): void {
  Object.assign(chat.services.chat, { cache: new Cache() });
}

async function sendCell({ operation, request }: Row, cell: Cell): Promise<{ status: number; text: string }> {
  const { caller: { account }, org: { chat }, target } = cell;
  const [method = "", path = ""] = operation.split(" ");
  const values = request.path?.(cell) ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => toSegment(values[name] ?? target.id));
  const params = Object.entries(request.params?.(cell) ?? {});
  const headers: HeadersInit = account === null
    ? {}
    : { authorization: basic(account.email, account.apiKey) };
  const form = new URLSearchParams(
    params.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
  const isJson = /^\/(links|blocked-hosts)?(\/|$)/.test(path);
  const hasQuery = method === "GET" || method === "DELETE" && path !== "/links";
  const body = isJson ? JSON.stringify(Object.fromEntries(params)) : toBody(request.hasFile === true, form);
  const query = hasQuery && form.size > 0 ? `?${form}` : "";
  const response = await chat.request(filled + query, {
    ...{ method, body: hasQuery ? null : body },
    headers: { ...(isJson ? { "content-type": "application/json" } : {}), ...headers },
  });
  return { status: response.status, text: await response.text() };
}

function toSegment(value: number | string): string {
  return String(value).split("/").map(encodeURIComponent).join("/");
}

function toBody(hasFile: boolean, form: URLSearchParams): BodyInit {
  if (!hasFile) return form;
  const files = new FormData();
  files.append("file", file(PNG), "picture.png");
  return files;
}

/** Lists the cells whose outcomes differ from the table, and the lines that the table lacks or has in excess. */
export function listDifferences(rows: readonly Row[], results: readonly CellResult[]): string[] {
  const differences = results.flatMap(({ row, caller, object, outcome, answer, writes }) => {
    const expected = row.expected.get(object)?.get(caller.name) ?? "no line";
    const title = `${caller.name}: ${titleOf(row)}: ${object}`;
    return [
      ...(outcome === expected ? [] : [`${title}: expected ${expected}, got ${outcome}: ${answer}`]),
      ...(writes.length === 0 ? [] : [`${title}: the refused request wrote ${writes.join(" ")}`]),
    ];
  });
  const excess = rows.flatMap((row) =>
    [...row.expected.keys()].filter((name) => !results.some((one) => one.row === row && one.object === name))
      .map((name) => `${titleOf(row)}: no object is named ${name}`)
  );
  return [...differences, ...excess];
}
