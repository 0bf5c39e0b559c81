import assert from "node:assert/strict";
import fc, { codePoint, numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { countShorts, shortAt, toShortLink, ZERO_WIDTH_CHARACTERS } from "@/lib/links/alphabet.ts";
import { createIdPermutation } from "@/lib/links/id_series.ts";
import { findUrlProblem } from "@/lib/links/params.ts";
import { jsonBody, startTestApp } from "@/tests/helpers/app.ts";

Deno.test("any id survives encoding as a path and decoding", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 64 }), (length) => {
    const alphabet = { characters: ZERO_WIDTH_CHARACTERS, length };
    const [short = ""] = createIdPermutation(randomKey(), alphabet).idsOf(0, 1);
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

function randomKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

/** Any number of characters from 2 to 1024, which is what the configuration takes. */
const characters = fc.integer({ min: 2, max: 1024 }).map((count) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at))
);

Deno.test("a keyed order of all ids contains each of them once, for any alphabet", () => {
  const length = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(characters, length, (characters, length) => {
      const alphabet = { characters, length };
      fc.pre(countShorts(alphabet) <= 5000);
      const { size, idsOf } = createIdPermutation(randomKey(), alphabet);
      assert.equal(size, countShorts(alphabet));
      // Blocks of any size give the same order.
      const ids = [...idsOf(0, 1), ...idsOf(1, size - 1)];
      assert.deepEqual(ids, idsOf(0, size));
      assert.equal(new Set(ids).size, size);
      for (const id of ids) assert.equal([...id].length, length);
    }),
    numberOfRuns(60),
  );
});

Deno.test("the order of a stored series stays the same, so that its next ids are free", () => {
  const key = Uint8Array.from({ length: 32 }, (_, at) => at);
  const idsOf = (length: number, first: number) =>
    createIdPermutation(key, { characters: [..."abcdefgh"], length }).idsOf(first, 4);
  assert.deepEqual(idsOf(3, 0), ["fec", "dhe", "eba", "egb"]);
  assert.deepEqual(idsOf(7, 1000), ["aahfdfh", "bagbabc", "bhhcgea", "hgcfgff"]);
  const permuted = ["bgeafcefgfdhbedch", "daehbcbgcebfhhhfc", "gebghcgggbeceaadh", "agacaffhgfadbaaad"];
  assert.deepEqual(idsOf(17, 2 ** 50), permuted);
  assert.deepEqual(idsOf(20, 2 ** 50).map((id) => id.slice(0, 17)), permuted);
});

Deno.test("ids of large spaces are different wherever their numbers are, and of the right length", () => {
  const block = fc.record({
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    count: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(
      characters,
      fc.integer({ min: 3, max: 64 }),
      fc.array(block, { maxLength: 6 }),
      (characters, length, blocks) => {
        const { size, idsOf } = createIdPermutation(randomKey(), { characters, length });
        const numbers = new Set<number>();
        const ids = new Set<string>();
        for (const { part, count } of blocks) {
          const first = Math.min(Math.floor(part * size), size - 1);
          const fitting = Math.min(count, size - first);
          for (let at = 0; at < fitting; at++) numbers.add(first + at);
          for (const id of idsOf(first, fitting)) ids.add(id);
        }
        assert.equal(ids.size, numbers.size);
        for (const id of ids) {
          assert.equal([...id].length, length);
          assert.ok([...id].every((character) => characters.includes(character)));
        }
      },
    ),
    numberOfRuns(60),
  );
});

Deno.test("ids are distributed evenly, and another key gives another order", () => {
  const alphabet = { characters: ZERO_WIDTH_CHARACTERS, length: 7 };
  for (const position of [0, 3, 6]) {
    const counts = new Map<string, number>();
    for (const id of createIdPermutation(randomKey(), alphabet).idsOf(0, 29_000)) {
      const character = [...id][position] ?? "";
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const chiSquare = counts.values().reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    // 28 degrees of freedom: 84 is passed once in about ten million runs.
    assert.ok(counts.size === 29 && chiSquare < 84, `chi square ${chiSquare}`);
  }
  const [one, other] = [1, 2].map(() => createIdPermutation(randomKey(), alphabet).idsOf(0, 1000));
  assert.equal(new Set([...one ?? [], ...other ?? []]).size, 2000);
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
      const result = await response.json();
      if (response.status !== 201) {
        return assert.ok([400, 413].includes(response.status), String(response.status));
      }
      const sent: unknown = typeof body === "object" && body !== null && "url" in body ? body.url : undefined;
      assert.equal(typeof sent === "string" && findUrlProblem(sent), null);
      const resolved = await app.request(`/${encodeURIComponent(result.short)}?visit=false`);
      assert.deepEqual(await resolved.json(), { url: sent });
    }),
    numberOfRuns(300),
  );
});
