import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";

/** One request of a probe. */
export interface ProbeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly repeat?: number;
  readonly concurrency?: number;
  readonly save?: Readonly<Record<string, string>>;
}

/** A step before the request that is judged: a request, or a new start of the server. */
export type ProbeStep = ProbeRequest | {
  readonly restart: "kill" | "term";
  readonly env?: Readonly<Record<string, string>>;
};

/** A black-box check: a request and the response that it must have. */
export interface Probe {
  readonly id: string;
  readonly why: string;
  readonly setup?: readonly ProbeStep[];
  readonly request: ProbeRequest;
  readonly expect: {
    readonly status: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly all_distinct?: string;
  };
}

/** Response to a probe's request. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Values that earlier steps saved, by name. */
export type Variables = Map<string, unknown>;

/** Milliseconds after which a request counts as never answered. */
const REQUEST_GIVE_UP_MS = 60_000;

/** Sends a probe's request with exactly the headers that it names. */
export function send(port: number, probe: ProbeRequest, variables: Variables): Promise<ProbeAnswer> {
  const body = toBody(probe.body);
  return new Promise((resolve, reject) => {
    const headers = { ...probe.headers, ...(body === null ? {} : { "content-length": String(body.length) }) };
    const path = expandPath(probe.path, variables);
    const signal = AbortSignal.timeout(REQUEST_GIVE_UP_MS);
    const outgoing = httpRequest({ host: "127.0.0.1", port, method: probe.method, path, headers, signal });
    outgoing.on("response", (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (piece: string) => text += piece);
      response.on(
        "end",
        () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body ?? undefined);
  });
}

/** Inserts variables into a path and expands repetitions. */
function expandPath(path: string, variables: Variables): string {
  const encoders: Readonly<Record<string, (text: string) => string>> = {
    path: (text) => "/" + encodeURIComponent(text),
    lower: (text) => "/" + encodeURIComponent(text).toLowerCase(),
    raw: (text) => "/" + String.fromCharCode(...new TextEncoder().encode(text)),
    twice: (text) => "/" + encodeURIComponent(encodeURIComponent(text)),
    cut: (text) => "/" + encodeURIComponent([...text].slice(0, -1).join("")),
  };
  return path
    .replace(
      /\{\{(\w+):(\w+)\}\}/g,
      (_, kind: string, name: string) => encoders[kind]?.(String(variables.get(name))) ?? "",
    )
    .replace(/\$pad:(.):(\d+)/gu, (_, character: string, count: string) => character.repeat(Number(count)));
}

function toBody(body: unknown): Uint8Array | null {
  if (body === undefined) return null;
  const isRaw = typeof body === "string" && body.startsWith("$raw:");
  const text = isRaw
    ? body.slice(5)
    : JSON.stringify(body, (_, value) => typeof value === "string" ? pad(value) : value);
  return new TextEncoder().encode(text);
}

function pad(text: string): string {
  const withCharacter = /^\$padc:(.):(.*):(\d+)$/su.exec(text);
  const match = withCharacter ?? /^\$pad:(.*):(\d+)$/su.exec(text);
  if (match === null) return text;
  const [character = "", prefix = "", length = "0"] = withCharacter === null
    ? ["a", ...match.slice(1)]
    : match.slice(1);
  return prefix + character.repeat(Number(length) - [...prefix].length);
}

/** Stores members of a response's JSON under names for later steps. */
export function save(probe: ProbeRequest, { text }: ProbeAnswer, variables: Variables): void {
  for (const [name, member] of Object.entries(probe.save ?? {})) {
    variables.set(name, JSON.parse(text)[member]);
  }
}

/** Fails if a response differs from the probe's expectation. */
export function assertExpected({ expect }: Probe, answer: ProbeAnswer, variables: Variables): void {
  const context = { variables, body: parse(answer.text) };
  match(expect.status, answer.status, context, "status");
  for (const [name, expected] of Object.entries(expect.headers ?? {})) {
    match(expected, answer.headers[name], context, `header ${name}`);
  }
  if ("body" in expect) match(expect.body, context.body, context, "body");
}

interface Context {
  readonly variables: Variables;
  readonly body: unknown;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function match(expected: unknown, actual: unknown, context: Context, at: string): void {
  if (typeof expected === "string" && expected.startsWith("$")) {
    return matchOperator(expected, actual, context, at);
  }
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual) && actual.length === expected.length, `${at}: ${JSON.stringify(actual)}`);
    return expected.forEach((item, index) => match(item, actual[index], context, `${at}[${index}]`));
  }
  if (typeof expected !== "object" || expected === null) return assert.deepEqual(actual, expected, at);
  assert.ok(typeof actual === "object" && actual !== null, `${at} is no object: ${JSON.stringify(actual)}`);
  if ("$exact" in expected) {
    const exact = Object(expected.$exact);
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(exact).sort(), at);
    return match(exact, actual, context, at);
  }
  for (const [name, value] of Object.entries(expected)) {
    match(value, Reflect.get(actual, name), context, `${at}.${name}`);
  }
}

function matchOperator(text: string, actual: unknown, { variables, body }: Context, at: string): void {
  const [, name = "", argument = ""] = /^\$(\w+):?(.*)$/s.exec(text) ?? [];
  const shown = `${at} is ${JSON.stringify(actual)}, not ${text}`;
  const [variable = "", amount = "0"] = argument.split(":");
  const isInteger = Number.isSafeInteger(actual);
  const checks: Readonly<Record<string, () => boolean>> = {
    any: () => true,
    present: () => actual !== undefined,
    absent: () => actual === undefined,
    json: () => actual !== undefined,
    str: () => typeof actual === "string",
    int: () => isInteger,
    nonneg: () => isInteger && Number(actual) >= 0,
    re: () => typeof actual === "string" && toPattern(argument).test(actual),
    in: () => argument.split(",").includes(String(actual)),
    eq: () => actual === variables.get(variable),
    ne: () => actual !== variables.get(variable),
    plus: () => actual === Number(variables.get(variable)) + Number(amount),
    len: () => Array.isArray(actual) && actual.length === Number(argument),
    each: () =>
      Array.isArray(actual) && actual.length > 0 &&
      actual.every((item) => toPattern(argument).test(String(item))),
    asc: () =>
      Array.isArray(actual) && actual.length > 1 &&
      actual.every((item, index) => index === 0 || actual[index - 1] <= item),
    contains: () => JSON.stringify(actual).includes(argument),
    absent_or_min: () => actual === undefined || Number(actual) >= Number(argument),
    absent_or_str: () => actual === undefined || typeof actual === "string",
    link: () =>
      actual ===
        `${variables.get("BASE_URL")}/${encodeURIComponent(String(Reflect.get(Object(body), argument)))}`,
  };
  const check = checks[name];
  assert.ok(check !== undefined, `unknown operator ${text}`);
  assert.ok(check(), shown);
}

function toPattern(text: string): RegExp {
  return text.startsWith("(?i)") ? new RegExp(text.slice(4), "iu") : new RegExp(text, "u");
}
