import { App } from "fresh";
import { setSecurityHeaders } from "@/lib/api/security_headers.ts";
import { setAllowance } from "@/lib/api/request_limits.ts";
import { guard, type ServeHandler } from "@/lib/server/guard.ts";
import type { RequestLine } from "@/lib/services/log.ts";
import type { RequestServer } from "./request_server.ts";

/** A part of the work of requests, or a whole request. */
export interface RequestPart {
  readonly name: string;
  readonly handle: ServeHandler;
  readonly createRequest: () => Request;
}

const ORIGIN = "http://localhost:8000";
const ADDRESS = "203.0.113.7";
/** Number of links that are visited in turn. */
const LINKS = 500;
/** Headers that clients send with nearly every request. */
const CLIENT_HEADERS = { host: "localhost:8000", accept: "*/*", "user-agent": "bench/1.0" };
const ANSWER = JSON.stringify({ url: "https://example.com/articles/1?source=load" });
const LINE: RequestLine = { id: "0a1b2c3d4e5f-1z", method: "GET", route: "/:short", status: 200, ms: 0.4213 };

/** Connection that all requests come from. */
export const CLIENT: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: ADDRESS, port: 50_000 },
  completed: Promise.resolve(),
};

/** Lists the bare handler first, then the parts, each added to the bare handler, then whole requests. */
export async function listRequestParts(server: RequestServer): Promise<readonly RequestPart[]> {
  const paths: string[] = [];
  while (paths.length < LINKS) paths.push(await shortenOne(server));
  const [path = "/"] = paths;
  const createRequest = () => new Request(`${ORIGIN}${path}`, { headers: CLIENT_HEADERS });
  const parts = Object.entries(createParts(server)).map(([name, handle]) => ({
    ...{ name, handle, createRequest },
  }));
  return [...parts, ...listWholeRequests(server, paths)];
}

function bare(): Response {
  const response = new Response(ANSWER);
  response.headers.set("content-type", "application/json");
  return response;
}

function createParts({ services }: RequestServer): Record<string, ServeHandler> {
  const { requestIds, limiter, log, metrics, isHttps } = services;
  const handle = () => Promise.resolve(bare());
  const router = new App().use((ctx) => ctx.next()).route("/:short", { handler: bare }).handler();
  const withBare = (work: (response: Response, request: Request) => void): ServeHandler => (request) => {
    const response = bare();
    work(response, request);
    return Promise.resolve(response);
  };
  return {
    "bare handler": handle,
    "+ address, place and turn": guard(services, handle),
    "+ router and one middleware": (request, info) => router(request, info),
    "+ request id": withBare(({ headers }, request) => headers.set("x-request-id", requestIds.of(request))),
    "+ rate limit and its headers": async () => {
      const allowance = await limiter?.consume("resolve", ADDRESS);
      const response = bare();
      if (allowance !== undefined) setAllowance(response.headers, services, allowance);
      return response;
    },
    "+ security headers": withBare(({ headers }) => setSecurityHeaders(headers, isHttps)),
    "+ metrics": withBare(() => metrics.observe(LINE)),
    "+ log line": withBare(() => log.request(LINE)),
  };
}

function listWholeRequests({ handle }: RequestServer, paths: readonly string[]): readonly RequestPart[] {
  const [path = "/"] = paths;
  const next = createTurns(paths);
  const create = (method: string, at: string, body?: string) => () =>
    new Request(`${ORIGIN}${at}`, {
      method,
      headers: body === undefined
        ? CLIENT_HEADERS
        : { ...CLIENT_HEADERS, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
  return [
    {
      name: "preflight request: all parts but the rate limit",
      handle,
      createRequest: create("OPTIONS", path),
    },
    { name: "visit of one link", handle, createRequest: create("GET", path) },
    { name: "visit of many links in turn", handle, createRequest: () => create("GET", next())() },
    { name: "new link", handle, createRequest: create("POST", "/", ANSWER) },
  ];
}

/** Returns a function that returns the paths one after another, again and again. */
function createTurns(paths: readonly string[]): () => string {
  let turn = 0;
  return () => paths[turn++ % paths.length] ?? "/";
}

async function shortenOne({ handle }: RequestServer): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await handle(new Request(ORIGIN, { method: "POST", headers, body: ANSWER }), CLIENT);
  const { short } = await response.json();
  return `/${encodeURIComponent(short)}`;
}
