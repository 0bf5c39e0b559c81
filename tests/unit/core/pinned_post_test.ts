import assert from "node:assert/strict";
import { isForbiddenLiteral, isPublicAddress, PinnedPostError, postPinned } from "@/lib/core/pinned_post.ts";

const LIMITS = { allowedNetworks: ["127.0.0.0/8"], timeoutMs: 60_000, maxBytes: 1024 };

/** Starts a server on loopback that records requests; returns its port. */
function startServer(answer: (request: Request) => Response | Promise<Response>) {
  const paths: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    paths.push(new URL(request.url).pathname);
    return await answer(request);
  });
  return { paths, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function failureOf(url: string, limits: Partial<typeof LIMITS> = {}): Promise<[string, boolean]> {
  try {
    await postPinned(new URL(url), "{}", { ...LIMITS, ...limits });
  } catch (error) {
    if (error instanceof PinnedPostError) return [error.message, error.isPermanent];
    throw error;
  }
  return assert.fail("the request was answered");
}

Deno.test("postPinned() posts JSON, names the host of the URL and follows no redirect", async () => {
  const seen: unknown[] = [];
  await using server = startServer(async (request) => {
    seen.push(request.headers.get("host"), request.headers.get("content-type"), await request.json());
    return new Response("moved", { status: 307, headers: { location: "/elsewhere" } });
  });
  const answer = await postPinned(new URL(`http://localhost:${server.port}/a`), '{"leaf":"ä"}', {
    ...LIMITS,
    allowedNetworks: ["127.0.0.1", "::1"],
  });
  assert.deepEqual(answer, { status: 307, text: "moved" });
  assert.deepEqual(seen, [`localhost:${server.port}`, "application/json", { leaf: "ä" }]);
  assert.deepEqual(server.paths, ["/a"]);
});

Deno.test("postPinned() connects to no internal address, whatever its spelling", async () => {
  await using server = startServer(() => new Response("reached"));
  const hosts = ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "0", "[::1]", "[::]"];
  for (const host of [...hosts, "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]"]) {
    for (const scheme of ["http", "https"]) {
      const failure = await failureOf(`${scheme}://${host}:${server.port}/`, { allowedNetworks: [] });
      assert.deepEqual(failure, ["The address is internal.", true], `${scheme}://${host}`);
    }
  }
  const named = await failureOf(`https://localhost:${server.port}/`, { allowedNetworks: [] });
  assert.deepEqual(named, await failureOf("https://no-such-host.invalid/"), "internal names stay unknown");
  assert.deepEqual(server.paths, []);
});

Deno.test("postPinned() requires https for addresses outside of the allowed networks", async () => {
  // An address of a public host: without TLS no connection is attempted.
  assert.deepEqual(await failureOf("http://1.1.1.1/"), ["The address is not https.", true]);
});

Deno.test("postPinned() ends after its time and beyond its size, and reports unreachable servers", async () => {
  const never = Promise.withResolvers<Response>();
  await using server = startServer(({ url }) => {
    return url.endsWith("/slow") ? never.promise : new Response("x".repeat(1025));
  });
  const url = `http://127.0.0.1:${server.port}`;
  assert.deepEqual(await failureOf(`${url}/slow`, { timeoutMs: 50 }), ["No answer within 0 seconds.", false]);
  never.resolve(new Response());
  assert.deepEqual(await failureOf(`${url}/large`), ["The answer is larger than 1 KiB.", true]);
  using unused = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = unused.addr;
  unused.close();
  assert.deepEqual(await failureOf(`http://127.0.0.1:${port}/`), ["The connection failed.", false]);
  assert.deepEqual(await failureOf("https://sotto.invalid/"), [
    "The host name has no public address.",
    false,
  ]);
});

Deno.test("isPublicAddress() accepts only addresses of hosts on the internet", () => {
  const internal =
    "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.168.1.1 " +
    "198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:10.0.0.1 64:ff9b::a00:1 " +
    "64:ff9b:1::a00:1 100::1 2001::1 2001:db8::1 2002:a00:1::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 x";
  for (const address of internal.split(" ")) assert.equal(isPublicAddress(address), false, address);
  for (const address of ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

Deno.test("isForbiddenLiteral() refuses literal addresses only", () => {
  const isForbidden = (url: string, networks: string[] = []) => isForbiddenLiteral(new URL(url), networks);
  assert.equal(isForbidden("https://10.0.0.1/"), true);
  assert.equal(isForbidden("https://[fd00::1]/"), true);
  assert.equal(isForbidden("https://10.0.0.1/", ["10.0.0.0/8"]), false);
  assert.equal(isForbidden("https://localhost/"), false);
  assert.equal(isForbidden("https://1.1.1.1/"), false);
});
