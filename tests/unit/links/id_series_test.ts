import assert from "node:assert/strict";
import fc, { numberOfRuns } from "@/tests/helpers/fast_check.ts";
import { type Alphabet, countShorts, shortAt } from "@/lib/links/alphabet.ts";
import { createLinkCommitter as createCommitter } from "@/lib/links/creation.ts";
import { LinkCache } from "@/lib/links/link_cache.ts";
import { linkKeys, type LinkRecord } from "@/lib/links/store.ts";
import { listCandidates, MAX_COMPARED } from "@/lib/links/search/candidates.ts";
import { parseFilter } from "@/lib/links/search/link_query.ts";
import { readRecord } from "@/lib/store/key.ts";
import type { Kv } from "@/lib/store/kv.ts";
import type { Store } from "@/lib/store/open.ts";
import { openTestStore } from "@/tests/helpers/store.ts";

const FULL = { code: "UNAVAILABLE" };

function abc(length: number, characters: readonly string[] = ["a", "b", "c"]): Alphabet {
  return { characters, length };
}

function createLinkCommitter(store: Store, alphabet: Alphabet) {
  return createCommitter(store, new LinkCache(store, []), alphabet);
}

function linkTo(number: number): LinkRecord {
  return { url: `https://example.com/${number}`, createdAt: number };
}

function readLink(kv: Kv, short: string): Promise<LinkRecord | null> {
  return readRecord<LinkRecord>(kv, linkKeys.link(short));
}

async function countLinks({ kv }: Store): Promise<number> {
  return (await Array.fromAsync(kv.list({ prefix: linkKeys.link() }))).length;
}

/** Creates links until none is free, and returns their ids. */
async function fill(store: Store, alphabet: Alphabet): Promise<string[]> {
  const creation = createLinkCommitter(store, alphabet);
  const shorts: string[] = [];
  for (let at = 0;; at++) {
    const short = await creation.submit(linkTo(at)).catch((error) => assert.equal(error.code, FULL.code));
    if (short === undefined) return shorts;
    shorts.push(short);
  }
}

Deno.test("ids of earlier versions are never overwritten, and all others are found", async () => {
  for (const free of [0, 1, 5, 26, 27]) {
    using store = await openTestStore();
    const before = Array.from({ length: 27 - free }, (_, at) => shortAt(abc(3), at));
    for (const short of before) await store.kv.set(linkKeys.link(short), linkTo(-1));
    const made = await fill(store, abc(3));
    assert.equal(made.length, free);
    assert.equal(await countLinks(store), 27);
    for (const short of before) assert.deepEqual(await readLink(store.kv, short), linkTo(-1));
  }
});

Deno.test("processes that are killed lose numbers, and no id", async () => {
  using store = await openTestStore();
  // Each process takes a block and ends after one link.
  const shorts = new Set<string>();
  for (let at = 0; at < 16; at++) {
    shorts.add(await createLinkCommitter(store, abc(4, ["a", "b"])).submit(linkTo(at)));
  }
  assert.equal(shorts.size, 16);
  await assert.rejects(createLinkCommitter(store, abc(4, ["a", "b"])).submit(linkTo(16)), FULL);
});

Deno.test("of several links that share a commit, those without an id fail alone", async () => {
  using store = await openTestStore();
  const creation = createLinkCommitter(store, abc(1));
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((at) => creation.submit(linkTo(at))));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 3);
  assert.equal(await countLinks(store), 3);
});

Deno.test("links with properties share a commit with others, as many as fit into it", async () => {
  using store = await openTestStore();
  const creation = createLinkCommitter(store, abc(64));
  const tags = Array.from({ length: 20 }, (_, at) => `${"\u{1f600}".repeat(30)}${at}`);
  const title = Array.from({ length: 12 }, (_, at) => `${"\u4e00".repeat(22)}${at}`).join(" ");
  const links = Array.from(
    { length: 60 },
    (_, at) => at % 2 === 0 ? { ...linkTo(at), tags, title } : linkTo(at),
  );
  const shorts = await Promise.all(links.map((link) => creation.submit(link)));
  for (const [at, short] of shorts.entries()) assert.deepEqual(await readLink(store.kv, short), links[at]);
  const commits = new Set(
    (await Array.fromAsync(store.kv.list({ prefix: linkKeys.made() }))).map(({ value }) => value),
  );
  assert.ok(commits.size < 20, `${commits.size} commits`);
  const found = await listCandidates(store.kv, parseFilter({ tag: tags[3] }), MAX_COMPARED);
  assert.deepEqual(new Set(found?.shorts), new Set(shorts.filter((_, at) => at % 2 === 0)));
});

const alphabets = [abc(3), abc(3, ["c", "b", "a", "d"]), abc(2), abc(8)];

Deno.test("processes with the same and with other alphabets never assign an id twice", async () => {
  const step = fc.record({
    /** A process that is replaced was killed. */
    process: fc.integer({ min: 0, max: 3 }),
    alphabet: fc.constantFrom(...alphabets),
    isKilled: fc.boolean(),
    links: fc.integer({ min: 1, max: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      using store = await openTestStore();
      const processes = [0, 1, 2, 3].map(() => createLinkCommitter(store, abc(3)));
      const made = new Map<string, LinkRecord>();
      let number = 0;
      await Promise.all(steps.map(async ({ process, alphabet, isKilled, links }) => {
        if (isKilled) processes[process] = createLinkCommitter(store, alphabet);
        for (let at = 0; at < links; at++) {
          const link = linkTo(number++);
          const short = await processes[process]?.submit(link).catch((error) => {
            assert.equal(error.code, FULL.code);
          });
          if (short === undefined) continue;
          assert.ok(!made.has(short), `${short} was assigned twice`);
          made.set(short, link);
        }
      }));
      for (const [short, link] of made) assert.deepEqual(await readLink(store.kv, short), link);
      assert.equal(await countLinks(store), made.size);
    }),
    numberOfRuns(40),
  );
});

Deno.test("several processes fill a small space to its last id", async () => {
  using store = await openTestStore();
  const alphabet = abc(5);
  const filled = await Promise.all([1, 2, 3].map(() => fill(store, alphabet)));
  const last = await fill(store, alphabet);
  assert.equal(new Set([...filled.flat(), ...last]).size, countShorts(alphabet));
});

Deno.test("a new store's links are written without looking for their ids", async () => {
  using store = await openTestStore();
  const creation = createLinkCommitter(store, abc(20));
  await creation.submit(linkTo(0));
  let reads = 0;
  const { get, getMany } = store.kv;
  Object.assign(store.kv, {
    get: (...args: Parameters<typeof get>) => (reads++, get.apply(store.kv, args)),
    getMany: (...args: Parameters<typeof getMany>) => (reads++, getMany.apply(store.kv, args)),
  });
  for (let at = 1; at < 1000; at++) await creation.submit(linkTo(at));
  assert.ok(reads < 20, `${reads} reads`);
});
