import type { Kv } from "@/lib/store/kv.ts";
import type { Tx } from "@/lib/store/tx.ts";
import { linkKeys } from "./store.ts";

/**
 * Changes of links and blocked hosts, in one record that every such change writes. A commit that checks it
 * fails when something changed in any process, and the ids say which cached links to drop.
 */
export interface LinkChanges {
  /** Number of changed links so far. */
  readonly links: number;
  /** Number of changes of the blocked hosts so far. */
  readonly hosts: number;
  /** Ids of the latest changed links, the latest one last. */
  readonly recent: readonly string[];
}

/** State of the changes at one moment, which a commit can check. */
export type ChangePosition = Deno.KvEntryMaybe<LinkChanges>;

/** Maximum number of ids in the record; with the longest ids, they take half of a value's 65,536 bytes. */
const MAX_RECENT = 120;

const NONE: LinkChanges = { links: 0, hosts: 0, recent: [] };

/** Reads the state of the changes. */
export function readChangePosition(kv: Kv): Promise<ChangePosition> {
  return kv.get<LinkChanges>(linkKeys.changes);
}

/** Announces changed links to all processes, in the commit of the change. */
export async function announceLinks(tx: Tx, shorts: readonly string[]): Promise<void> {
  const changes = await tx.get<LinkChanges>(linkKeys.changes) ?? NONE;
  const recent = [...changes.recent, ...shorts].slice(-MAX_RECENT);
  tx.set(linkKeys.changes, { ...changes, links: changes.links + shorts.length, recent });
}

/** Announces changed blocked hosts to all processes, in the commit of the change. */
export async function announceHosts(tx: Tx): Promise<void> {
  const changes = await tx.get<LinkChanges>(linkKeys.changes) ?? NONE;
  tx.set(linkKeys.changes, { ...changes, hosts: changes.hosts + 1 });
}

/**
 * Returns the links that changed between two different states; null when that is unknown, as after a backup was
 * restored, or when the blocked hosts changed, which concerns every link.
 */
export function changedBetween(before: ChangePosition, after: ChangePosition): readonly string[] | null {
  const [from, to] = [before.value ?? NONE, after.value ?? NONE];
  const count = to.links - from.links;
  if (from.hosts !== to.hosts || count <= 0 || count > to.recent.length) return null;
  return to.recent.slice(-count);
}

/** Whether the blocked hosts changed between two states. */
export function haveHostsChanged(before: ChangePosition | null, after: ChangePosition): boolean {
  return before === null || (before.value ?? NONE).hosts !== (after.value ?? NONE).hosts;
}
