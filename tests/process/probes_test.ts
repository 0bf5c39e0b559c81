import assert from "node:assert/strict";
import {
  assertExpected,
  type Probe,
  type ProbeAnswer,
  type ProbeRequest,
  save,
  send,
  type Variables,
} from "@/tests/helpers/probes.ts";
import { TestServer } from "@/tests/helpers/server.ts";

const probes = (await readLines("shortener.jsonl")).map((line): Probe => JSON.parse(line));
const ENV = { BLOCKED_HOSTNAMES: "blocked.example,other-blocked.example" };

/** Server that all probes run against, one after the other on one store. */
class Subject implements AsyncDisposable {
  private env: Record<string, string> = {};

  private constructor(private server: TestServer, private readonly folder: string) {}

  static async start(): Promise<Subject> {
    const folder = await Deno.makeTempDir();
    return new Subject(await TestServer.start({ folder, env: ENV }), folder);
  }

  /** Port of the server that runs now; each restart has another one. */
  get port(): number {
    return this.server.port;
  }

  get baseUrl(): string {
    return this.server.baseUrl;
  }

  async restart(how: "kill" | "term", env: Record<string, string>): Promise<void> {
    if (how === "kill") await this.server.kill();
    else assert.equal(await this.server.stop(), 0);
    this.env = env;
    this.server = await TestServer.start({ folder: this.folder, env: { ...ENV, ...env } });
  }

  /** Removes the variables that an earlier probe set for itself. */
  async reset(): Promise<void> {
    if (Object.keys(this.env).length > 0) await this.restart("term", {});
  }

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.server.fetch(path, init);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function sendAll(port: number, request: ProbeRequest, variables: Variables): Promise<ProbeAnswer[]> {
  const { repeat = 1, concurrency = 1 } = request;
  const answers: ProbeAnswer[] = [];
  for (let sent = 0; sent < repeat; sent += concurrency) {
    const count = Math.min(concurrency, repeat - sent);
    answers.push(...await Promise.all(Array.from({ length: count }, () => send(port, request, variables))));
  }
  return answers;
}

async function runProbe(subject: Subject, probe: Probe): Promise<void> {
  const [first] = probe.setup ?? [];
  const isRestarted = first !== undefined && "restart" in first;
  if (!isRestarted) await subject.reset();
  const variables: Variables = new Map([["BASE_URL", subject.baseUrl]]);
  for (const step of probe.setup ?? []) {
    if ("restart" in step) {
      await subject.restart(step.restart, { ...step.env });
      variables.set("BASE_URL", subject.baseUrl);
      continue;
    }
    for (const answer of await sendAll(subject.port, step, variables)) save(step, answer, variables);
  }
  const answers = await sendAll(subject.port, probe.request, variables);
  for (const answer of answers) assertExpected(probe, answer, variables);
  const { all_distinct: member } = probe.expect;
  if (member !== undefined) {
    const values = answers.map(({ text }) => JSON.parse(text)[member]);
    assert.equal(new Set(values).size, values.length, `${member} repeats`);
  }
}

Deno.test("the shortener matches the probes, and resolves real URLs", async (test) => {
  await using subject = await Subject.start();
  await test.step("real URLs are shortened and resolved byte for byte", () => shortenRealUrls(subject));
  for (const probe of probes) {
    await test.step(`${probe.id}: ${probe.why}`, () => runProbe(subject, probe));
  }
});

/** Requires the URLs to come back from a server whose store is empty. */
async function shortenRealUrls(server: Subject): Promise<void> {
  const urls = await readLines("example_urls.txt");
  assert.ok(urls.length > 80);
  for (const url of urls) {
    const shortened = await server.fetch("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url }),
    });
    assert.equal(shortened.status, 201, url);
    const { short } = await shortened.json();
    const path = `/${encodeURIComponent(short)}`;
    assert.deepEqual(await (await server.fetch(path)).json(), { url });
    const stats = await (await server.fetch(`${path}/stats`)).json();
    assert.deepEqual([stats.url, stats.visits.length], [url, 1]);
  }
  assert.deepEqual(await (await server.fetch("/stats")).json(), { urls: urls.length, visits: urls.length });
}

/** Lines of a file in tests/probes. */
async function readLines(name: string): Promise<string[]> {
  return (await Deno.readTextFile(new URL(`../probes/${name}`, import.meta.url))).trim().split("\n");
}
