import assert from "node:assert/strict";
import { TestServer } from "@/tests/helpers/server.ts";
import { waitFor } from "@/tests/helpers/wait.ts";

/** A span as the runtime exports it. */
interface ExportedSpan {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}

/** Receives traces as a collector does; disposing of it closes it. */
function startCollector(): { url: string; spans: ExportedSpan[] } & AsyncDisposable {
  const spans: ExportedSpan[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  const server = Deno.serve(options, async (request) => {
    const { resourceSpans = [] } = await request.json();
    for (const { scopeSpans } of resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    return Response.json({});
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    spans,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("requests are traced through their calls of the store, without keys", async () => {
  await using collector = startCollector();
  await using server = await TestServer.start({
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  });
  const created = await server.fetch("/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/garden" }),
  });
  assert.equal(created.status, 201);
  const { short } = await created.json();
  const stats = await server.fetch(`/${encodeURIComponent(short)}/stats`);
  assert.equal(stats.status, 200);
  const requestId = stats.headers.get("x-request-id");
  // The answer is streamed: a cancelled one makes no further calls.
  await stats.text();
  assert.equal(await server.stop(), 0);
  const find = (name: string) => collector.spans.find((span) => span.name === name);
  const listChildren = (name: string) =>
    collector.spans.filter(({ parentSpanId }) =>
      parentSpanId !== undefined && parentSpanId === find(name)?.spanId
    );
  const hasChild = (parent: string, name: string) =>
    listChildren(parent).some((child) => child.name === name);
  // The spans of a request may come in several exports.
  await waitFor(
    "the spans are exported",
    () => hasChild("POST /", "commit") && hasChild("GET /:short/stats", "list visit_log"),
    { explain: () => collector.spans.map(({ name }) => name).join("\n") },
  );
  const reads = listChildren("GET /:short/stats");
  for (const { attributes } of reads) {
    const text = JSON.stringify(attributes);
    assert.ok(text.includes("deno_kv") && !text.includes(short), text);
  }
  assert.ok(JSON.stringify(find("GET /:short/stats")?.attributes).includes(String(requestId)));
});
