import assert from "node:assert/strict";
import { type ExampleCast, startExampleCast } from "@/tests/casts/api_examples/cast.ts";
import { ApiDescription } from "@/tests/helpers/api_walk.ts";
import { basic } from "@/tests/helpers/chat.ts";
import { measureBaseline, readThreadMs } from "@/tests/helpers/event_loop.ts";
import fc from "@/tests/helpers/fast_check.ts";
import { succeed } from "@/tests/helpers/succeed.ts";
import {
  buildSlowRequest,
  listKinds,
  listSizes,
  listTexts,
  listValidRequests,
  toClass,
} from "./slow_requests.ts";
import type { Input, SlowRequest, ValidRequest } from "./slow_requests.ts";

/** Options of a measurement. */
export interface CostOptions {
  readonly requests: number;
  readonly seed: number;
  /** Whether no further request is sent. */
  readonly isOver?: () => boolean;
}

/** Cost of a request. */
export interface RequestCost {
  readonly status: number;
  /** Processor time of the thread in multiples of the baseline. */
  readonly ratio: number;
  /** Start of the body of an answer that must not come. */
  readonly failure: string;
}

/** A measured request; its title names the request, the input, the text and the caller. */
export interface TitledCost extends RequestCost {
  readonly title: string;
}

/**
 * Largest cost of a request: 50 ms, because the baseline took 17 ms at the least on the busy machine where this was set.
 */
const MAX_RATIO = 3;
/** Measurements before a request counts as too costly. */
const ATTEMPTS = 6;

/** Numbers that choose one request. */
type Draw = readonly [member: number, kind: number, size: number, text: number, caller: number];

/**
 * Sends requests with a slow text in place of one input to a server in this process, and returns their costs. Each
 * class of inputs is drawn equally often.
 */
export async function measureCosts({ requests, seed, isOver }: CostOptions): Promise<TitledCost[]> {
  await using cast = await startExampleCast();
  await succeed(cast, cast.owner, "PATCH /realm", { enable_spectator_access: true });
  const description = await ApiDescription.read();
  const valid = await listValidRequests(cast, description);
  await cast.faulty.takeSnapshot();
  const inputs = valid.flatMap((request) => request.inputs.map((input) => ({ request, input })));
  const classes = [...Map.groupBy(inputs, ({ request, input }) => toClass(request, input)).values()];
  const nat = fc.nat();
  const draw: fc.Arbitrary<Draw> = fc.noBias(fc.tuple(nat, nat, nat, nat, nat));
  const draws = fc.sample(draw, { seed, numRuns: requests });
  const baseline = await measureBaseline(readThreadMs);
  const costs: TitledCost[] = [];
  for (const [at, chosen] of draws.entries()) {
    if (isOver?.() === true) break;
    const { request, input } = pick(classes[at % classes.length] ?? [], chosen[0]);
    const drawn = drawRequest(cast, { request, input, draw: chosen, description });
    costs.push({ title: drawn.title, ...await measureCost(cast, drawn, baseline) });
  }
  return costs.sort((one, other) => other.ratio - one.ratio);
}

/** A request that is drawn. */
interface Drawing {
  readonly request: ValidRequest;
  readonly input: Input;
  readonly draw: Draw;
  readonly description: ApiDescription;
}

function drawRequest(cast: ExampleCast, { request, input, draw, description }: Drawing) {
  const [, ofKind, ofSize, ofText, ofCaller] = draw;
  const kind = pick(listKinds(input), ofKind);
  const size = pick(listSizes(request, input), ofSize);
  const createText = pick(listTexts(input, kind, size, description), ofText);
  const [caller, headers] = pick(listCallers(cast, request), ofCaller);
  const slow = buildSlowRequest({ ...request, headers }, input, createText());
  const name = `${input.in} ${input.name} ${input.prefix ?? ""}`.trim();
  return { ...slow, title: `${request.title}, ${name}: ${kind.title} of ${size}, by ${caller}` };
}

/** Lists callers with their headers; the one of the example comes most often. */
function listCallers(cast: ExampleCast, { headers, path }: ValidRequest) {
  const { authorization: _authorization, cookie: _cookie, ...others } = headers;
  const own = ["the usual caller", headers] as const;
  const nobody = ["nobody", others] as const;
  if (!path.startsWith("/api/")) return [own, own, nobody];
  const accounts = (["owner", "admin", "member", "guest", "bot"] as const).map((name) =>
    [name, { ...others, authorization: basic(cast[name].email, cast[name].apiKey) }] as const
  );
  return [own, own, own, own, nobody, ...accounts];
}

function pick<T>(items: readonly T[], number: number): T {
  return items[number % items.length] ?? assert.fail("nothing to choose from");
}

/** Measures a request, again if it takes too long, and undoes what it changed. */
async function measureCost(cast: ExampleCast, request: SlowRequest, baseline: number): Promise<RequestCost> {
  let cost = await measureOnce(cast, request, baseline);
  for (let attempt = 1; attempt < ATTEMPTS && cost.ratio > MAX_RATIO; attempt++) {
    const again = await measureOnce(cast, request, await measureBaseline(readThreadMs));
    if (again.ratio < cost.ratio) cost = again;
  }
  return cost;
}

async function measureOnce(
  cast: ExampleCast,
  { path, init }: SlowRequest,
  baseline: number,
): Promise<RequestCost> {
  const start = readThreadMs();
  // A refusal that the description of its operation lacks is thrown.
  const response = await cast.request(path, init).catch((error) =>
    new Response(String(error), { status: 500 })
  );
  const text = await response.text();
  const ratio = (readThreadMs() - start) / baseline;
  if (response.status < 400) await cast.restore();
  return { status: response.status, ratio, failure: response.status < 500 ? "" : text.slice(0, 300) };
}

/** Returns what is wrong with a request's cost, or null. */
export function findCostProblem({ title, status, ratio, failure }: TitledCost): string | null {
  if (status >= 500) return `${title}: status ${status} ${failure}`;
  return ratio <= MAX_RATIO ? null : `${title}: ${ratio.toFixed(1)} times the baseline, status ${status}`;
}
