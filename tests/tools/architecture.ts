import { readSources } from "../helpers/sources.ts";
import {
  CHAT_GROUPS,
  findCycles,
  findNounCycles,
  type ImportEdge,
  layerOf,
  LAYERS,
  listChatEdges,
  listEdges,
  nounOf,
} from "../helpers/layers.ts";
import { print } from "./suite.ts";

/** Name under which a picture of imports shows a file: a layer's folder, or a noun of the chat with its group. */
function nodeOf(path: string): string {
  return path.startsWith("lib/chat/") ? `chat: ${nounOf(path).noun}` : layerOf(path).folder;
}

const sources = readSources();
const edges = listEdges(sources);

print("Layers, lowest first");
for (const [level, folders] of LAYERS.entries()) {
  const files = sources.filter(({ path }) => layerOf(path).level === level);
  print(`${String(level).padStart(3)}  ${folders.join(" ")}  (${files.length} files)`);
}

print("\nGroups of the chat, lowest first");
for (const { group, nouns } of CHAT_GROUPS) print(`  ${group}: ${Object.keys(nouns).join(", ")}`);

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
const upward = [
  ...edges.filter(([from, to]) => !isShown(from) && layerOf(to).level > layerOf(from).level),
  ...listChatEdges(sources).filter(([from, to]) => nounOf(to).level > nounOf(from).level),
];
print(`\nUpward imports: ${upward.length}`);
for (const [from, to] of upward) print(`  ${from} → ${to}`);
const cycles = [...findCycles(sources), ...findNounCycles(sources)];
print(`Cycles: ${cycles.length}`);
for (const files of cycles) print(`  ${files.join(" → ")}`);

function crossesNodes([from, to]: ImportEdge): boolean {
  return nodeOf(from) !== nodeOf(to);
}
