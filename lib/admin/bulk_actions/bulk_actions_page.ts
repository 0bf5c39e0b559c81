import {
  type BulkActionRecord,
  type BulkChange,
  listBulkActions,
} from "@/lib/chat/bulk_actions/bulk_actions.ts";
import { readDirectory } from "@/lib/chat/users/store.ts";
import type { AdminPageSpec } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import { nameSubject } from "./bulk_action_page.ts";

/** Maximum number of actions on the page. */
const MAX_LISTED = 100;

/** A bulk action in the list. */
export interface ListedBulkAction {
  readonly id: number;
  readonly kind: BulkChange["kind"];
  /** Role, group or channel of the change; null without one. */
  readonly subject: string | null;
  readonly actor: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly state: BulkActionRecord["state"];
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

/** Data of the list of bulk actions. */
export interface BulkActionsData {
  readonly actions: readonly ListedBulkAction[];
  /** Maximum number of actions, if it is reached; null otherwise. */
  readonly limit: number | null;
}

/** The page of past and running bulk actions. */
export const bulkActionsPage: AdminPageSpec<BulkActionsData> = { load: loadBulkActions };

async function loadBulkActions(request: AdminRequest): Promise<BulkActionsData> {
  const { chat, realm, messages } = request;
  const [records, { byId }] = await Promise.all([
    listBulkActions(chat, realm.id, MAX_LISTED),
    readDirectory(chat, realm.id),
  ]);
  const actions = await Promise.all(records.map(async (record) => ({
    ...{ id: record.id, kind: record.change.kind, createdAt: record.created_at, state: record.state },
    ...{ done: record.done, total: record.total, failed: record.failed },
    subject: await nameSubject(request, record.change),
    actor: byId.get(record.acting_user_id)?.full_name ?? messages.audit.formerUser,
  })));
  return { actions, limit: records.length === MAX_LISTED ? MAX_LISTED : null };
}
