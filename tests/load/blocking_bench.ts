// Measures the longest block of the event loop by each request to an organization of the greatest usual size.
import { startFullOrganization, TEST_SIZE } from "@/tests/casts/full_organization_cast.ts";
import { listCostlyRequests } from "@/tests/casts/full_organization_requests.ts";
import { measureBaseline, measureBlock } from "@/tests/helpers/event_loop.ts";
import { printLine } from "./table.ts";

const FULL_SIZE = {
  ...TEST_SIZE,
  users: 10_000,
  channels: 2000,
  messages: 20_000,
  largeMessages: 1000,
  texts: 500,
};

printLine("building the organization; this takes some minutes …");
await using org = await startFullOrganization(FULL_SIZE);
printLine(`baseline: ${(await measureBaseline()).toFixed(1)} ms`);
const rows: { title: string; block: number; bytes: number }[] = [];
for (const { title, send } of await listCostlyRequests(org)) {
  const { bytes } = await send();
  rows.push({ title, block: await measureBlock(send), bytes });
}
for (const { title, block, bytes } of rows.sort((one, other) => other.block - one.block)) {
  printLine(`${block.toFixed(1).padStart(8)} ms  ${String(bytes).padStart(9)} bytes  ${title}`);
}
