import type { Tx } from "@/lib/store/transact.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
  diffValues,
} from "../audit/model.ts";
import { recordAudit } from "../audit/store.ts";
import { sendEvent } from "../events/send_events.ts";
import type { UserRecord } from "../users/model.ts";
import type { LinkifierRecord } from "./model/linkifier.ts";

/** Fields of a linkifier whose changes appear in the audit log. */
export const AUDITED_LINKIFIER_FIELDS = [
  "pattern",
  "url_template",
  "example_input",
  "reverse_template",
  "alternative_url_templates",
] as const;

/** Organization and time of a change, in milliseconds since 1970 UTC. */
interface ChangeTime {
  readonly realmId: number;
  readonly now: number;
}

/** Linkifiers before and after a change, and the user who made it. */
interface LinkifiersChange {
  readonly actor: Pick<UserRecord, "id">;
  readonly before: readonly LinkifierRecord[];
  readonly after: readonly LinkifierRecord[];
}

/** Sends all linkifiers to everyone in the organization. */
export function sendLinkifiersEvent(tx: Tx, at: ChangeTime, linkifiers: readonly LinkifierRecord[]): void {
  sendEvent(tx, at, {
    event: { type: "realm_linkifiers", realm_linkifiers: linkifiers },
    audience: "everyone",
  });
}

/**
 * Records deleted, created and changed linkifiers in the audit log, or a new order when nothing else changed.
 */
export function auditLinkifiers(tx: Tx, at: ChangeTime, { actor, before, after }: LinkifiersChange): void {
  const audit = (
    action: AuditAction,
    { id, pattern }: { id: number; pattern: string },
    { details = {}, values }: { details?: AuditDetails; values: AuditValues | undefined },
  ) =>
    recordAudit(tx, at, {
      acting_user_id: actor.id,
      action,
      target: { kind: "linkifier", id, name: pattern },
      details,
      values,
    });
  const previous = new Map(before.map((linkifier) => [linkifier.id, linkifier]));
  const remainingIds = new Set(after.map(({ id }) => id));
  const deleted = before.filter(({ id }) => !remainingIds.has(id));
  const changed = after.filter((linkifier) => previous.get(linkifier.id) !== linkifier);
  for (const linkifier of deleted) {
    const values = { before: { linkifier, position: before.indexOf(linkifier) }, after: { linkifier: null } };
    audit("linkifier_deleted", linkifier, { values });
  }
  for (const linkifier of changed) {
    const old = previous.get(linkifier.id);
    if (old === undefined) {
      audit("linkifier_created", linkifier, {
        values: { before: { linkifier: null }, after: { linkifier } },
      });
    } else {
      const details = diffDetails(old, linkifier, AUDITED_LINKIFIER_FIELDS);
      const values = diffValues(old, linkifier, AUDITED_LINKIFIER_FIELDS);
      audit("linkifier_changed", linkifier, { details, values });
    }
  }
  if (deleted.length + changed.length > 0) return;
  const [from, to] = [before, after].map((list) => ({ order: list.map(({ id }) => id) }));
  const values = from === undefined || to === undefined ? undefined : { before: from, after: to };
  audit("linkifier_reordered", { id: 0, pattern: "" }, { values });
}
