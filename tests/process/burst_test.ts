import assert from "node:assert/strict";
import { RawConnection } from "../helpers/raw_http.ts";
import { TestServer } from "../helpers/server.ts";

/** Connections that send at the same moment: more than requests may be handled at the same time. */
const CONNECTIONS = 2000;

Deno.test("no request of a burst to a short link is refused", async () => {
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
    await Promise.all(connections.map((connection) => connection.send(request)));
    const answers = await Promise.all(connections.map((connection) => connection.readAnswer()));
    const statuses = Map.groupBy(answers, ({ status }) => status);
    const counts = [...statuses].map(([status, { length }]) => [status, length]);
    assert.deepEqual(counts, [[200, CONNECTIONS]]);
  } finally {
    for (const connection of connections) connection.close();
  }
});
