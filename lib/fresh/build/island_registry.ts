import type { Island, IslandRegistry } from "../render/island.ts";

/** A loaded file of islands, with the script that the browser loads for it. */
export interface IslandModule {
  name: string;
  /** The URL path of the bundled script. */
  file: string;
  module: Record<string, unknown>;
}

/** Registers every component that the files of islands export. */
export function registerIslands(modules: readonly IslandModule[]): IslandRegistry {
  const registry: IslandRegistry = new Map();
  for (const { name, file, module } of modules) {
    for (const [exportName, exported] of Object.entries(module)) {
      if (typeof exported !== "function") continue;
      const island: Island = {
        name: exportName === "default" ? name : `${name}.${exportName}`,
        file,
        exportName,
      };
      registry.set(exported, island);
    }
  }
  return registry;
}
