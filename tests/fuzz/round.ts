import fc from "@/tests/helpers/fast_check.ts";
import type { TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import type { AnswerChecks } from "./checks.ts";
import { type Answer, exchange, NoAnswer } from "./exchange.ts";
import { fillForm, type FormPlan } from "./page_requests.ts";
import { type FuzzRequest, toCommand, toMessage } from "./request.ts";
import type { Secrets } from "./secrets.ts";
import type { Stage } from "./stage.ts";

/** A request, or a form that is filled when it is sent. */
export type Plan = FuzzRequest | FormPlan;

/** Server, checks and generators of a round. */
export interface RoundParts {
  readonly server: TestServer;
  readonly checks: AnswerChecks;
  readonly secrets: Secrets;
  /** Batches of requests that are sent at the same time. */
  readonly batches: fc.Arbitrary<readonly Plan[]>;
  /** Opens a new organization. */
  readonly openStage: () => Promise<Stage>;
}

/** Options of a round. */
export interface RoundOptions {
  readonly seed: number;
  readonly batches: number;
  /** Whether the round goes on after a failure and reports each kind of failure once, as it was found. */
  readonly isCollecting: boolean;
}

/** Outcome of a round. */
export interface RoundOutcome {
  readonly requests: number;
  readonly organizations: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Report of a failure; null when there is none. */
  readonly failure: string | null;
}

/** Milliseconds without an answer after which a request counts as hung. */
const HANG_MS = 60_000;
/** Milliseconds that a client waits for something that may never come. */
const LEAVE_MS = 300;
/** Milliseconds after which a request is missing in the log. */
const LOG_MS = 3000;
/** Characters of an answer that a report shows. */
const SHOWN = 2000;
/** Executions after a failure that search for a smaller one. */
const MAX_SHRINKS = 400;
/** Requests that may wait for events. */
const MAY_WAIT = /^\/(api\/v1\/events|admin\/events|admin\/stats\/live)(\?|$)/;

/** Sends batches of requests until a number of them is sent or one of them fails, and shrinks what failed. */
export async function runRound(
  parts: RoundParts,
  options: RoundOptions,
): Promise<RoundOutcome> {
  const round = new Round(parts, options.isCollecting);
  const details = await fc.check(
    fc.asyncProperty(parts.batches, (batch) => round.send(batch)),
    { seed: options.seed, numRuns: options.batches },
  );
  const { requests, organizations, statuses } = round;
  if (round.collected.size > 0) {
    return { requests, organizations, statuses, failure: [...round.collected.values()].join("\n\n") };
  }
  const failure = details.failed ? round.failure ?? String(details.errorInstance) : round.checkLog();
  return { requests, organizations, statuses, failure };
}

class Round {
  requests = 0;
  organizations = 0;
  readonly statuses = new Map<number, number>();
  failure: string | null = null;
  #stage: Stage | null = null;
  #executionsAfterFailure = 0;
  readonly collected = new Map<string, string>();
  readonly #logStart: number;

  constructor(private readonly parts: RoundParts, private readonly isCollecting: boolean) {
    this.#logStart = parts.server.output.length;
  }

  /** Sends requests at the same time; throws when one of them fails. */
  async send(batch: readonly Plan[]): Promise<void> {
    if (this.failure !== null && ++this.#executionsAfterFailure > MAX_SHRINKS) return;
    if (this.#stage === null || this.#stage.isBroken) {
      this.#stage = await this.#openStage();
      this.organizations++;
    }
    const stage = this.#stage;
    const requests = batch.map((plan) => stage.complete("form" in plan ? fillForm(plan, stage.forms) : plan));
    const problems = await Promise.all(requests.map((request) => this.#try(stage, request)));
    const failed = problems.filter((problem) => problem !== null);
    if (failed.length === 0 || this.isCollecting) return;
    const others = failed.length === 1 && requests.length > 1
      ? `\n(sent with ${requests.length - 1} others)`
      : "";
    this.failure = failed.join("\n\n") + others;
    throw new Error(this.failure);
  }

  async #openStage(): Promise<Stage> {
    try {
      return await this.parts.openStage();
    } catch (error) {
      this.failure ??= `an organization cannot be prepared: ${error}`;
      this.#executionsAfterFailure = MAX_SHRINKS;
      throw error;
    }
  }

  /** Returns what is wrong with the log of this round; null when nothing is. */
  checkLog(): string | null {
    const log = this.parts.server.output.slice(this.#logStart);
    const secret = this.parts.secrets.findInLog(log + this.parts.server.errors);
    if (secret !== null) {
      return `the log holds the secret ${secret}:\n${linesWith(log + this.parts.server.errors, secret)}`;
    }
    const errors = linesWith(log, '"level":"error"');
    if (errors !== "") return `the log holds errors:\n${errors}`;
    return this.parts.server.errors === "" ? null : `standard error:\n${this.parts.server.errors}`;
  }

  async #try(stage: Stage, request: FuzzRequest): Promise<string | null> {
    this.requests++;
    const mayWait = request.method === "GET" && MAY_WAIT.test(request.target);
    try {
      const answer = await exchange(this.parts.server.port, toMessage(request), {
        giveUpMs: mayWait || request.isMalformed ? LEAVE_MS : HANG_MS,
        isHead: request.method === "HEAD",
      });
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      return await this.#judge(stage, request, answer);
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        return await this.#report(request, `the connection failed: ${error}`, null);
      }
      if (mayWait || request.isMalformed) return null;
      return await this.#report(
        request,
        `no answer within ${HANG_MS} ms${await this.#describeHealth()}`,
        null,
      );
    }
  }

  async #judge(stage: Stage, request: FuzzRequest, answer: Answer): Promise<string | null> {
    const { checks, secrets } = this.parts;
    const problem = checks.findProblem(request, answer);
    if (problem !== null) return await this.#report(request, problem, answer);
    const secret = secrets.findInAnswer(request, answer.body);
    if (secret !== null) return await this.#report(request, `the answer holds the secret ${secret}`, answer);
    this.#learn(stage, request, answer);
    return null;
  }

  #learn(stage: Stage, request: FuzzRequest, { status, headers, body }: Answer): void {
    const { secrets } = this.parts;
    secrets.addAnswer(body);
    if (status < 300 && body !== "" && headers.get("content-type")?.startsWith("application/json") === true) {
      stage.ids.rememberAnswer(request.target, JSON.parse(body));
    }
    const location = headers.get("location");
    if (location?.includes("/api/v1/tus/")) stage.ids.remember("upload", location.split("/").at(-1) ?? "");
    stage.noteRefusal(request, { status, location });
  }

  async #describeHealth(): Promise<string> {
    try {
      return `; /health answers ${(await this.parts.server.fetch("/health")).status}`;
    } catch {
      return "; /health does not answer either";
    }
  }

  async #report(request: FuzzRequest, problem: string, answer: Answer | null): Promise<string> {
    const { server } = this.parts;
    const id = answer?.headers.get("x-request-id") ?? null;
    const path = request.target.split("?")[0] ?? "";
    const kind = `${request.method} ${path.replaceAll(/\d+/g, "0").slice(0, 80)} ${problem}`;
    const readLines = () => linesWith(server.output.slice(this.#logStart), `"id":"${id}"`);
    // Lines are written a moment after the answer.
    const lines = id === null
      ? ""
      : await waitFor("the log has the request", readLines, { giveUpMs: LOG_MS }).catch(() => "");
    const shown = answer === null ? "" : `\nanswer: ${answer.status}\n${answer.body.slice(0, SHOWN)}`;
    const report = `${problem}\n${request.caller}: ${toCommand(request, server.url)}${shown}\nlog:\n${lines}`;
    if (this.isCollecting) this.collected.set(kind, report);
    return report;
  }
}

function linesWith(log: string, text: string): string {
  return log.split("\n").filter((line) => line.includes(text)).slice(0, 5).join("\n");
}
