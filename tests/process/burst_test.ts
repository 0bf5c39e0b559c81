import assert from "node:assert/strict";
import { systemClock } from "@/lib/core/clock.ts";
import { RawConnection } from "../helpers/raw_http.ts";
import { TestServer } from "../helpers/server.ts";

/** Connections that send at the same moment: more than requests may be handled at the same time. */
const CONNECTIONS = 2000;
/** Longest wait for a turn, in milliseconds: a slower machine is overloaded. */
const MAX_WAIT_MS = 1000;

Deno.test("no request of a burst to a short link is refused while all are answered within a second", async () => {
  await using server = await TestServer.start();
  const created = await server.fetch("/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/" }),
  });
  const { short } = await created.json();
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => RawConnection.open(server)),
  );
  try {
    const request = `GET /${
      encodeURIComponent(short)
    }?visit=false HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`;
    const start = systemClock.monotonic();
    await Promise.all(connections.map((connection) => connection.send(request)));
    let took = 0;
    const answers = await Promise.all(connections.map(async (connection) => {
      const answer = await connection.readAnswer();
      if (answer.status === 200) took = systemClock.monotonic() - start;
      return answer;
    }));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    const counts = [...statuses].map(([status, { length }]) => [status, length]);
    if (took > MAX_WAIT_MS) {
      assert.ok(counts.every(([status]) => status === 200 || status === 503), `${counts}`);
    } else assert.deepEqual(counts, [[200, CONNECTIONS]]);
  } finally {
    for (const connection of connections) connection.close();
  }
});
