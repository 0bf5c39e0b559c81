import { importsOf, resolveImport, type Source } from "./sources.ts";

/** Layers from the bottom up: a file may import those of its own layer's folder and of the layers below. */
export const LAYERS: readonly (readonly string[])[] = [
  ["lib/fresh/", "lib/core/"],
  ["lib/ui/"],
  ["lib/client/", "lib/store/", "lib/images/"],
  ["components/", "islands/"],
  ["lib/links/", "lib/mail/", "lib/push/", "lib/rate_limit_rules.ts"],
  ["lib/bouncer/", "lib/config.ts"],
  ["lib/chat/"],
  ["lib/ui/messages/"],
  ["lib/services/"],
  ["lib/api/"],
  ["lib/pages/"],
  ["lib/admin/"],
  ["lib/server/", "lib/cli/", "lib/build/"],
  ["routes/"],
  ["main.ts"],
];
/** Starts the server that it has built, so it stands above main.ts. */
const DEVELOPMENT_SERVER = "lib/build/dev.ts";

/** Layer of a file: the longest folder or file of LAYERS that it belongs to, and its level from the bottom. */
export function layerOf(path: string): { folder: string; level: number } {
  if (path === DEVELOPMENT_SERVER) return { folder: path, level: LAYERS.length };
  const found =
    LAYERS.flatMap((folders, level) =>
      folders.filter((folder) => path.startsWith(folder)).map((folder) => ({ folder, level }))
    ).toSorted((one, other) => other.folder.length - one.folder.length)[0];
  if (found === undefined) throw new Error(`${path} belongs to no layer`);
  return found;
}

/** An import of one file by another. */
export type ImportEdge = readonly [from: string, to: string];

/** Lists every import between files of the project, of types too. */
export function listEdges(sources: readonly Source[]): ImportEdge[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ specifier }): ImportEdge[] => {
      const target = resolveImport(source.path, specifier);
      return target === null || target === "deno.json" ? [] : [[source.path, target]];
    })
  );
}

/** Finds the groups of files that import each other, directly or by way of others. */
export function findCycles(sources: readonly Source[]): string[][] {
  const targets = new Map<string, string[]>(sources.map(({ path }) => [path, []]));
  for (const [from, to] of listEdges(sources)) targets.get(from)?.push(to);
  return new ComponentSearch(targets).run().filter((files) => files.length > 1);
}

/** Tarjan's search for strongly connected components. */
class ComponentSearch {
  readonly #order = new Map<string, number>();
  readonly #lowest = new Map<string, number>();
  readonly #open: string[] = [];
  readonly #components: string[][] = [];

  constructor(readonly targets: ReadonlyMap<string, readonly string[]>) {}

  run(): string[][] {
    for (const file of this.targets.keys()) {
      if (!this.#order.has(file)) this.#visit(file);
    }
    return this.#components;
  }

  #visit(file: string): void {
    const order = this.#order.size;
    this.#order.set(file, order);
    let lowest = order;
    this.#open.push(file);
    for (const target of this.targets.get(file) ?? []) {
      if (!this.#order.has(target)) this.#visit(target);
      else if (!this.#open.includes(target)) continue;
      lowest = Math.min(lowest, this.#lowest.get(target) ?? this.#order.get(target) ?? lowest);
    }
    this.#lowest.set(file, lowest);
    if (lowest === order) this.#components.push(this.#open.splice(this.#open.indexOf(file)));
  }
}
