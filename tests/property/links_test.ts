import assert from "node:assert/strict";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { countShorts, drawShort, shortAt, toShortLink, ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";
import { cryptographicRandom } from "@/lib/core/random.ts";
import { findUrlProblem } from "@/lib/links/params.ts";
import { jsonBody, startTestApp } from "@/tests/helpers/app.ts";

Deno.test("any id survives encoding as a path and decoding", () => {
  const random = cryptographicRandom();
  fc.assert(fc.property(fc.integer({ min: 1, max: 64 }), (length) => {
    const short = drawShort({ characters: ZERO_WIDTH_CHARACTERS, length }, random);
    const { pathname } = new URL(toShortLink("https://sotto.example", short));
    assert.equal(decodeURI(pathname), `/${short}`);
    assert.equal([...short].length, length);
  }));
});

Deno.test("different numbers produce different ids", () => {
  const characters = fc.uniqueArray(fc.constantFrom(...ZERO_WIDTH_CHARACTERS), {
    minLength: 2,
    maxLength: 5,
  });
  fc.assert(
    fc.property(characters, fc.integer({ min: 1, max: 4 }), (characters, length) => {
      const alphabet = { characters, length };
      const all = Array.from({ length: countShorts(alphabet) }, (_, index) => shortAt(alphabet, index));
      assert.equal(new Set(all).size, characters.length ** length);
    }),
    numberOfRuns(30),
  );
});

Deno.test("ids are distributed evenly", () => {
  const random = cryptographicRandom();
  const counts = new Array<number>(29).fill(0);
  for (let draw = 0; draw < 290_000; draw++) {
    const index = random.below(29);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
  // 28 degrees of freedom: 84 is passed once in about ten million runs.
  assert.ok(chiSquare < 84, `chi square ${chiSquare}`);
});

Deno.test("no path and no body causes a 5xx", async () => {
  await using app = await startTestApp();
  const segment = fc.oneof(
    fc.string({ unit: codePoint }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.uint8Array({ maxLength: 40 }).map((bytes) =>
      Array.from(bytes, (byte) => "%" + byte.toString(16).padStart(2, "0")).join("")
    ),
    fc.string({ unit: "grapheme-ascii" }),
    fc.constantFrom("stats", "badges", "", "..", "api", "v1", "admin", "%", "%f", "\u200c"),
  );
  const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.array(segment, { maxLength: 4 }),
      fc.uint8Array(),
      async (method, segments, bytes) => {
        const hasBody = method !== "GET" && method !== "HEAD";
        const headers = { "content-type": "application/json" };
        const init = hasBody ? { method, headers, body: bytes.slice() } : { method };
        const response = await app.request("/" + segments.join("/").replaceAll("#", ""), init);
        assert.ok(response.status < 500, `${method} /${segments.join("/")}: ${response.status}`);
        await response.body?.cancel();
      },
    ),
    numberOfRuns(500),
  );
});

Deno.test("any JSON body is accepted or refused, and accepted URLs are returned byte for byte", async () => {
  await using app = await startTestApp();
  const url = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: codePoint }),
    fc.webAuthority(),
  );
  const body = fc.oneof(fc.record({ url }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(body, async (body) => {
      const response = await app.request("/", jsonBody(body));
      const answer = await response.json();
      if (response.status !== 201) {
        return assert.ok([400, 413].includes(response.status), String(response.status));
      }
      const sent: unknown = typeof body === "object" && body !== null && "url" in body ? body.url : undefined;
      assert.equal(typeof sent === "string" && findUrlProblem(sent), null);
      const resolved = await app.request(`/${encodeURIComponent(answer.short)}?visit=false`);
      assert.deepEqual(await resolved.json(), { url: sent });
    }),
    numberOfRuns(300),
  );
});
