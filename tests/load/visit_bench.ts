import { compare } from "./compare.ts";
import { MANY_LINKS } from "./seeding.ts";
import { startBare, startSotto } from "./servers.ts";
import type { Stores } from "./stores.ts";
import { printLine, type Row, toRateRows } from "./table.ts";
import { measureVisitWrites } from "./visit_writes.ts";
import type { Load } from "./wrk.ts";

/** A load of the shortener, and the ratio to reach. */
interface Workload {
  readonly name: string;
  readonly load: Load;
  readonly store: () => Promise<string>;
  readonly aim: string;
}

function listWorkloads({ resolve, resolveMany, workingSet, manyLinks }: Stores): Workload[] {
  const few = (name: string, load: Load, aim: string) => ({
    name: `visits, ${name}`,
    load,
    store: workingSet,
    aim,
  });
  const many = (name: string, load: Load, aim: string) => ({
    name: `visits, ${name}`,
    load,
    store: manyLinks,
    aim,
  });
  return [
    { name: "new links", load: { script: "shorten.lua", args: [] }, store: workingSet, aim: "≥ 0.45" },
    few("one URL", resolve(1), "≥ 0.6"),
    few("500 URLs, 16 connections", { ...resolve(500), connections: 16 }, "≥ 0.6"),
    few("500 URLs, 64 connections", resolve(500), "≥ 0.6"),
    few("500 URLs, 256 connections", { ...resolve(500), connections: 256 }, "≥ 0.45"),
    many("100,000 URLs by Zipf", resolveMany(100_000, "zipf"), "≥ 0.5"),
    many("1,000,000 URLs", resolveMany(MANY_LINKS, "uniform"), "for information"),
  ];
}

/**
 * Measures visits and new links beside a bare server that writes one row for each commit of visits and never applies it
 * to the links, and one row for each new link; counts the writes for each visit.
 */
export async function measureVisits(stores: Stores): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, load, store, aim } of listWorkloads(stores)) {
    printLine(`measuring: ${name} …`);
    // A log or a backlog of one load must not slow the next one.
    await using bare = await startBare(await store(), "log");
    await using sotto = await startSotto(await store());
    const contenders = [{ name: "bare", server: bare, load }, { name: "Sotto", server: sotto, load }];
    rows.push(...toRateRows(name, aim, await compare(contenders)));
  }
  return [...rows, ...await measureVisitWrites()];
}
