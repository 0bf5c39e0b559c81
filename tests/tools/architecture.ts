import { readSources } from "../helpers/sources.ts";
import { findCycles, type ImportEdge, layerOf, LAYERS, listEdges } from "../helpers/layers.ts";
import { print } from "./suite.ts";

/** Folder that a picture of imports shows a file as: a layer's folder, or a domain of the chat. */
function nodeOf(path: string): string {
  const domain = /^lib\/chat\/([^/]+)\//.exec(path)?.[1];
  return domain === undefined ? layerOf(path).folder : `lib/chat/${domain}/`;
}

const sources = readSources();
const edges = listEdges(sources);

print("Layers, lowest first");
for (const [level, folders] of LAYERS.entries()) {
  const files = sources.filter(({ path }) => layerOf(path).level === level);
  print(`${String(level).padStart(3)}  ${folders.join(" ")}  (${files.length} files)`);
}

print("\nImports between folders");
const targets = Map.groupBy(edges.filter(crossesNodes), ([from]) => nodeOf(from));
for (const [node, out] of [...targets].sort(([one], [other]) => one < other ? -1 : 1)) {
  const counts = Map.groupBy(out, ([, to]) => nodeOf(to));
  const parts = [...counts].sort(([, one], [, other]) => other.length - one.length)
    .map(([target, group]) => `${target} ${group.length}`);
  print(`${node} → ${parts.join(", ")}`);
}

// Components and islands take types of the data that they show from any layer.
const isShown = (path: string) => /^(components|islands)\//.test(path);
const upward = edges.filter(([from, to]) => !isShown(from) && layerOf(to).level > layerOf(from).level);
print(`\nUpward imports: ${upward.length}`);
for (const [from, to] of upward) print(`  ${from} → ${to}`);
const cycles = findCycles(sources);
print(`Cycles: ${cycles.length}`);
for (const files of cycles) print(`  ${files.join(" → ")}`);

function crossesNodes([from, to]: ImportEdge): boolean {
  return nodeOf(from) !== nodeOf(to);
}
