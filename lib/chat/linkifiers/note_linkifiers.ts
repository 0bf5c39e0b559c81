import type { Tx } from "@/lib/kv/transact.ts";
import type { AuditAction, AuditDetails } from "../audit/change.ts";
import { differencesOf } from "../audit/details.ts";
import { recordAudit } from "../audit/note_change.ts";
import type { UserRecord } from "../users/user.ts";
import type { LinkifierRecord } from "./linkifier.ts";

/** What is noted of a linkifier when it changes. */
const NOTED = [
  "pattern",
  "url_template",
  "example_input",
  "reverse_template",
  "alternative_url_templates",
] as const;

/** The linkifiers before and after a change, and who made it. */
interface LinkifiersChange {
  readonly actor: Pick<UserRecord, "id">;
  readonly before: readonly LinkifierRecord[];
  readonly after: readonly LinkifierRecord[];
}

/** Notes in the audit log which linkifiers came, went or are other than before, or that only their order is. */
export function noteLinkifiers(
  tx: Tx,
  at: { readonly realmId: number; readonly now: number },
  { actor, before, after }: LinkifiersChange,
): void {
  const note = (
    action: AuditAction,
    { id, pattern }: { id: number; pattern: string },
    details: AuditDetails = {},
  ) =>
    recordAudit(tx, at, {
      acting_user_id: actor.id,
      action,
      target: { kind: "linkifier", id, name: pattern },
      details,
    });
  const known = new Map(before.map((linkifier) => [linkifier.id, linkifier]));
  const left = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !left.has(id));
  const others = after.filter((linkifier) => known.get(linkifier.id) !== linkifier);
  for (const linkifier of gone) note("linkifier_deleted", linkifier);
  for (const linkifier of others) {
    const old = known.get(linkifier.id);
    if (old === undefined) note("linkifier_created", linkifier);
    else note("linkifier_changed", linkifier, differencesOf(old, linkifier, NOTED));
  }
  if (gone.length + others.length === 0) note("linkifier_reordered", { id: 0, pattern: "" });
}
