import { listAuditRecords } from "@/lib/chat/audit/store.ts";
import type { AdminRequest } from "../admin_request.ts";

/** A person who joined by a reusable link. */
export interface JoinedPerson {
  readonly id: number;
  /** Name at the time of joining. */
  readonly name: string;
  /** Milliseconds since 1970 UTC. */
  readonly joinedAt: number;
}

/** Number of changes of links among which people are found. */
const MAX_READ = 100;
const MAX_SHOWN = 10;

/** Lists the latest people who joined by a link, latest first. */
export async function listJoinedPeople(
  { chat, realm }: AdminRequest,
  linkId: number,
): Promise<readonly JoinedPerson[]> {
  const query = { kind: "invite_link", cursor: null, limit: MAX_READ } as const;
  const { changes } = await listAuditRecords(chat, realm, query);
  return changes
    .flatMap(({ action, target, acting_user_id: id, time }) =>
      action === "invite_link_used" && target.id === linkId && id !== null
        ? [{ id, name: target.name, joinedAt: time }]
        : []
    )
    .slice(0, MAX_SHOWN);
}
