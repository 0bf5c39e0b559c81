import assert from "node:assert/strict";
import { createTopicLinker, createTopicWork } from "@/lib/chat/messages/linkifiers/model/find_links.ts";
import { linkifierRecord, storedLinkifiers } from "@/tests/casts/linkifiers_cast.ts";
import { countTurns } from "@/tests/helpers/event_loop.ts";

const TICKETS = storedLinkifiers(linkifierRecord(1, "#(?P<n>\\d+)"));
const NO_WORK = { ...createTopicWork(), left: 0 };

Deno.test("find() returns the links in a topic and counts its work", async () => {
  const { find } = createTopicLinker(TICKETS);
  const work = createTopicWork();
  const { left } = work;
  const links = [{ text: "#12", url: "https://x1.example/12" }];
  assert.deepEqual(await find("about #12", work), links);
  assert.ok(work.left < left);
  assert.deepEqual(await find("about #12", NO_WORK), links);
});

Deno.test("find() returns no links once the work is spent, and finds them with a later request", async () => {
  const { find } = createTopicLinker(TICKETS);
  assert.deepEqual(await find("about #12", NO_WORK), []);
  assert.equal((await find("about #12", createTopicWork())).length, 1);
});

Deno.test("find() forgets the topics that were not used for longest, one at a time", async () => {
  const { find } = createTopicLinker(TICKETS);
  const topic = (at: number) => `about #${at}`;
  for (let at = 0; at < 5000; at++) await find(topic(at), createTopicWork());
  await find(topic(0), NO_WORK);
  await find(topic(5000), createTopicWork());
  const isCached = async (at: number) => (await find(topic(at), NO_WORK)).length > 0;
  assert.deepEqual(await Promise.all([0, 1, 2, 4999, 5000].map(isCached)), [true, false, true, true, true]);
});

Deno.test("find() lets the event loop take its turn between costly topics", async () => {
  const costly = storedLinkifiers(
    ...Array.from({ length: 200 }, (_, at) => linkifierRecord(at, `(?P<n>.*)z${at}`)),
  );
  const { find } = createTopicLinker(costly);
  const turns = await countTurns(() =>
    Promise.all(Array.from({ length: 12 }, (_, at) => find(`${"z a ".repeat(14)}${at}`, createTopicWork())))
  );
  assert.ok(turns >= 4, `${turns} turns`);
});
