import assert from "node:assert/strict";
import { serialize } from "node:v8";
import { partition } from "es-toolkit/array/partition";
import { checkChat } from "@/lib/cli/check_chat.ts";
import { checkLinks } from "@/lib/links/check.ts";
import type { WriteCast } from "@/tests/casts/write_cast.ts";
import type { WriteExample } from "@/tests/casts/write_examples.ts";
import { type CallKind, type ChangedRow, type Fault, FAULTS } from "@/tests/helpers/faulty_store.ts";
import { forgetReads } from "@/tests/helpers/forget_reads.ts";
import { settled } from "@/tests/helpers/wait.ts";
import { type Allowance, allowanceOf, SWEPT_AWAY, SWEPT_LATER } from "@/tests/casts/write_allowances.ts";

/** A server on a store that can fail. */
export type FaultyServer = Pick<WriteCast, "faulty" | "services">;

/** A request with its answer and what it changed. */
interface Outcome {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Rows that differ from the snapshot. */
  readonly rows: readonly ChangedRow[];
  /** Changed rows by kind. */
  readonly changes: readonly string[];
  readonly calls: readonly CallKind[];
  readonly hasFailed: boolean;
}

/** Sends an example with every fault of every call of the store, and returns what went wrong. */
export async function findFaults(cast: FaultyServer, example: WriteExample): Promise<string[]> {
  const walk = new FaultWalk(cast, example);
  return await walk.run();
}

class FaultWalk {
  readonly #problems: string[] = [];
  readonly #allowed: Allowance;
  /** States of the store in which the consistency check has found no problem: many faults end in the same one. */
  readonly #consistent = new Set<string>();
  #expected: readonly string[] = [];

  constructor(private readonly cast: FaultyServer, private readonly example: WriteExample) {
    this.#allowed = allowanceOf(example.endpoint);
  }

  async run(): Promise<string[]> {
    const { endpoint, refusal, face } = this.example;
    // The first request fills caches.
    await this.#send(null);
    await this.#restore();
    const usual = await this.#send(null);
    if (refusal === undefined ? usual.status >= 400 : usual.status !== refusal) {
      return [`${endpoint}: ${usual.status} ${usual.text.slice(0, 300)}`];
    }
    this.#expected = usual.changes;
    // Such a form is a preview or a download.
    if (face === "page" && usual.changes.length === 0) return [];
    await this.#requireConsistent("without a fault", usual);
    await this.#restore();
    for (const fault of listFaults(usual.calls, face)) {
      await this.#tryFault(fault);
      await this.#restore();
    }
    return this.#problems;
  }

  async #tryFault(fault: Fault): Promise<void> {
    const { at, kind } = fault;
    if (kind === "conflict" && this.#allowed.hasNoConflict === true) return;
    const outcome = await this.#send(fault);
    if (!outcome.hasFailed) return;
    const where = `${kind} of call ${at} of ${this.example.endpoint}`;
    if (this.#isSuccess(outcome)) {
      const { missing, extra } = this.#compare(outcome.changes);
      if (missing.length + extra.length > 0) {
        this.#report(where, outcome, `missing ${missing}; extra ${extra}`);
      }
      return;
    }
    if (kind !== "failure" && kind !== "lost_answer") this.#report(where, outcome, "refused");
    this.#requireCleanAnswer(where, outcome);
    const left = outcome.changes.filter((row) => !SWEPT_AWAY.includes(row));
    const { missing, extra } = this.#compare(outcome.changes);
    const mayBeDone = kind === "lost_answer" || this.#allowed.isRepeatable === true;
    const isDone = mayBeDone && extra.length === 0 && (missing.length === 0 || this.#allowed.isBulk === true);
    if (left.length > 0 && !isDone) this.#report(where, outcome, `left ${left}`);
    if (outcome.changes.length > 0) await this.#requireConsistent(where, outcome);
    // Otherwise the next fault's request is the repetition.
    if (outcome.changes.length > 0) await this.#repeat(where, left.length === 0);
  }

  #isSuccess({ status }: Outcome): boolean {
    return status < 400 || status === this.example.refusal;
  }

  /** Compares changes with those of a request without faults, except for what may be done later. */
  #compare(changes: readonly string[]): { readonly missing: string[]; readonly extra: string[] } {
    const { later = [], queued = [] } = this.#allowed;
    return {
      missing: difference(this.#expected, changes).filter((row) =>
        !SWEPT_LATER.includes(row) && !isOf(row, later)
      ),
      extra: difference(changes, this.#expected).filter((row) =>
        !SWEPT_AWAY.includes(row) && !isOf(row, queued)
      ),
    };
  }

  /**
   * Sends the request again, which has to succeed where nothing was changed before, and to complete a bulk
   * change.
   */
  async #repeat(where: string, isUnchanged: boolean): Promise<void> {
    const again = await this.#send(null);
    const isExpected = this.#isSuccess(again) || (!isUnchanged && again.status < 500);
    if (!isExpected) this.#report(`again after ${where}`, again, "refused");
    if (isUnchanged || (this.#allowed.isBulk === true && this.#isSuccess(again))) {
      const { missing } = this.#compare(again.changes);
      if (missing.length > 0) this.#report(`again after ${where}`, again, `missing ${missing}`);
    }
    if (!isUnchanged) await this.#requireConsistent(`again after ${where}`, again);
  }

  #requireCleanAnswer(where: string, outcome: Outcome): void {
    const { status, headers, text } = outcome;
    const { face } = this.example;
    // The library for resumable uploads names no type for its errors.
    const isJson = face === "tus" || headers.get("content-type")?.startsWith("application/json") === true;
    const isClean = status === 503 && headers.get("retry-after") !== null &&
      isJson === (face !== "page") && !/disk I\/O|\.ts:\d|\n {4}at /.test(text) &&
      (!isJson || hasShape(text, face));
    if (!isClean) this.#report(where, outcome, "unclean");
  }

  async #send(fault: Fault | null): Promise<Outcome> {
    const { faulty } = this.cast;
    faulty.arm(fault);
    const response = await settled(
      `${this.example.endpoint} with ${JSON.stringify(fault)} is answered`,
      this.example.send(),
    );
    const text = await response.text();
    const { calls, hasFailed } = faulty.disarm();
    await this.#quiet();
    const rows = await faulty.listChanges();
    const { status, headers } = response;
    return { status, headers, text, rows, changes: toKinds(rows), calls, hasFailed };
  }

  /** Waits for work that goes on after an answer. */
  async #quiet(): Promise<void> {
    const { links, chat } = this.cast.services;
    await Promise.all([links.creation.drain(), links.visits.drain()]);
    await Promise.all([chat.messageCommitter.drain(), chat.presenceCommitter.drain()]);
  }

  async #restore(): Promise<void> {
    if (!await this.cast.faulty.restore()) return;
    forgetReads(this.cast.services);
  }

  async #requireConsistent(where: string, { rows }: Outcome): Promise<void> {
    const state = toState(rows);
    if (this.#consistent.has(state)) return;
    const { kv } = this.cast.faulty.store;
    const problems = [...(await checkLinks(kv)).problems, ...(await checkChat(kv)).problems];
    if (problems.length === 0) this.#consistent.add(state);
    for (const problem of problems) this.#problems.push(`${where} (${this.example.endpoint}): ${problem}`);
  }

  #report(where: string, { status, text }: Outcome, problem: string): void {
    this.#problems.push(`${where}: ${status} ${text.slice(0, 120)}: ${problem}`);
  }
}

/** Lists the faults of a request's calls: each fault of each call, and reads that are late in any order. */
function listFaults(calls: readonly CallKind[], face: WriteExample["face"]): Fault[] {
  const faults = calls.flatMap((call, at) =>
    FAULTS[call].filter((kind) => call !== "read" || kind !== "delay").map((kind) => ({ at: [at], kind }))
  );
  // Forms are many, and read like the endpoints.
  if (face === "page") return faults;
  const reads = [...calls.keys()].filter((at) => calls[at] === "read");
  return [...faults, ...listLateReads(reads).map((at) => ({ at, kind: "delay" as const }))];
}

/** Lists groups of reads so that of any two reads, each is in a group without the other. */
function listLateReads(reads: readonly number[]): readonly (readonly number[])[] {
  const groups = reads.length === 0 ? [] : [reads];
  for (let bit = 1; bit < reads.length; bit *= 2) {
    groups.push(...partition(reads, (_, at) => (at & bit) === 0));
  }
  return groups;
}

function hasShape(text: string, face: WriteExample["face"]): boolean {
  const members = Object.keys(JSON.parse(text)).join();
  if (face === "links") return members === "statusCode,error,message";
  // Of the library for resumable uploads, errors have one member.
  return members === "result,msg,code" || (face === "tus" && members === "message");
}

/** Returns a text that is the same for equal rows, and so for equal states of the store. */
function toState(rows: readonly ChangedRow[]): string {
  const texts = rows.map(({ key, after }) => serialize([key, after]).toString("latin1"));
  return texts.sort().join("\n");
}

/**
 * Kinds of rows that are not compared: records of changes repeat rows that are, for ten minutes, and numbers of short
 * ids may be taken in vain.
 */
const NOT_COMPARED: readonly unknown[] = ["change", "link_ids_taken"];

/** Returns the kinds of changed rows: the first text of each key, and whether the row is new, changed or gone. */
function toKinds(rows: readonly ChangedRow[]): string[] {
  const compared = rows.filter(({ key }) =>
    !NOT_COMPARED.includes(key.find((part) => typeof part === "string"))
  );
  return compared.map(({ key, before, after }) => {
    const name = key.find((part) => typeof part === "string") ?? "?";
    return `${String(name)} ${before === undefined ? "added" : after === undefined ? "removed" : "changed"}`;
  }).sort();
}

/** Returns the items of one list that another lacks; equal items count separately. */
function difference(from: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return from.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isOf(row: string, names: readonly string[]): boolean {
  return names.some((name) => row.startsWith(`${name} `));
}

/** Asserts that no example has a problem. */
export async function requireNoFaults(cast: FaultyServer, examples: readonly WriteExample[]): Promise<void> {
  const problems: string[] = [];
  for (const example of examples) problems.push(...await findFaults(cast, example));
  assert.equal(problems.length, 0, "\n" + problems.join("\n"));
}
