import type { Tx } from "@/lib/store/transact.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { UserRecord } from "../users/model.ts";
import type { PlaygroundRecord } from "./model.ts";

/** Organization and time of a change, in milliseconds since 1970 UTC. */
interface ChangeTime {
  readonly realmId: number;
  readonly now: number;
}

/** Sends all code playgrounds to everyone in the organization. */
export function sendPlaygroundsEvent(
  tx: Tx,
  at: ChangeTime,
  playgrounds: readonly PlaygroundRecord[],
): void {
  sendEvent(tx, at, {
    event: { type: "realm_playgrounds", realm_playgrounds: playgrounds },
    audience: "everyone",
  });
}

/** Records an added or removed code playground in the audit log. */
export function auditPlayground(
  tx: Tx,
  at: ChangeTime,
  { actor, action, playground }: {
    actor: Pick<UserRecord, "id">;
    action: "playground_added" | "playground_removed";
    playground: PlaygroundRecord;
  },
): void {
  const { id, name, pygments_language, url_template } = playground;
  recordAudit(tx, at, {
    acting_user_id: actor.id,
    action,
    target: { kind: "playground", id, name },
    details: { pygments_language, url_template },
    values: action === "playground_added"
      ? { before: { playground: null }, after: { playground } }
      : { before: { playground }, after: { playground: null } },
  });
}
