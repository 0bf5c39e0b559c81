import type { RouteTable } from "../routing/route_table.ts";
import type { BuildAssets } from "./build_assets.ts";

/** A build as an app uses it: its assets and its routes. */
export interface BuildCache<State> extends BuildAssets {
  /** Registers the files of the route folder. */
  addRoutes(table: RouteTable<State>): void;
}
