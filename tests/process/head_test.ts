import assert from "node:assert/strict";
import { RawConnection } from "../helpers/raw_http.ts";
import { TestServer } from "../helpers/server.ts";

const PATHS = [
  "/",
  "/docs",
  "/health",
  "/openapi.json",
  "/emoji/names.json",
  "/favicon.svg",
  "/stats",
  "/stats/badges/urls",
  "/unknown-id",
  "/%ff",
  "/api/v1/server_settings",
  "/api/v1/unknown",
];

const NONCE_BYTES = 32;

/** Sends one request and returns its status and its headers as they came. */
async function readHead(
  server: TestServer,
  line: string,
  headers: string,
): Promise<readonly [number, string | null]> {
  using connection = await RawConnection.open(server);
  await connection.send(
    `${line} HTTP/1.1\r\nHost: localhost:${server.port}\r\nConnection: close\r\n${headers}\r\n`,
  );
  const answer = await connection.readAnswer();
  return [answer.status, answer.headers.get("content-length")];
}

Deno.test("HEAD has the status and the length that GET has", async () => {
  await using server = await TestServer.start();
  const created = await server.fetch("/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/" }),
  });
  const { short } = await created.json();
  for (const path of [...PATHS, `/${short}`, `/${short}?visit=false`, `/${short}/stats`]) {
    for (const headers of ["", "Accept-Encoding: gzip\r\n", "Accept: text/html\r\n"]) {
      const got = await readHead(server, `GET ${path}`, headers);
      const head = await readHead(server, `HEAD ${path}`, headers);
      // The nonce of a page is random, so that gzip makes a few bytes more or less of it.
      const isNear = /gzip/.test(headers) && Math.abs(Number(head[1]) - Number(got[1])) < NONCE_BYTES;
      assert.deepEqual(isNear ? [head[0], got[1]] : head, got, `${path} ${headers}`);
    }
  }
});
