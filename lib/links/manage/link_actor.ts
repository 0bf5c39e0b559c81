import type { Tx } from "@/lib/store/tx.ts";
import type { LinkCreator, LinkRecord } from "../store.ts";

/** A change of a link or a blocked host, for the audit log. */
export type LinkChange =
  | {
    readonly action: "link_changed" | "link_disabled" | "link_enabled" | "link_deleted";
    readonly short: string;
    readonly before: LinkRecord;
    readonly after: LinkRecord;
    readonly areVisitsDeleted?: boolean;
  }
  | { readonly action: "blocked_host_added" | "blocked_host_removed"; readonly host: string };

/** The acting party of a change of links or blocked hosts. */
export interface LinkActor {
  /** The user who is signed in; null for the shorten key. */
  readonly creator: LinkCreator | null;
  /** Records a change in the commit that makes it. */
  readonly audit: (tx: Tx, change: LinkChange) => void;
}
