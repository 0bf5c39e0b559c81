import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/store/transact.ts";
import type { ActionContext, ChatApp } from "@/lib/chat/organization/app.ts";
import {
  type AuditAction,
  type AuditDetails,
  type AuditValues,
  diffDetails,
} from "@/lib/chat/organization/audit/model.ts";
import { auditAction } from "@/lib/chat/organization/audit/store.ts";
import { sendChangeEvent } from "@/lib/chat/organization/events/send_events.ts";
import type { ParamValues } from "@/lib/chat/organization/params/param.ts";
import type { Caller } from "@/lib/chat/organization/users/model.ts";
import { actAsAdmin } from "@/lib/chat/organization/users/store.ts";
import { type linkifierParams, parseLinkifierFields } from "./api.ts";
import {
  type LinkifierFields,
  linkifierKeys,
  type LinkifierRecord,
  MAX_LINKIFIERS,
  MAX_LINKIFIERS_BYTES,
} from "./model/linkifier.ts";
import { requireValidLinkifier } from "./model/validate_linkifier.ts";

/**
 * Adds a linkifier after all others and returns its id.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function createLinkifier(
  app: ChatApp,
  caller: Caller,
  fields: LinkifierFields,
): Promise<number> {
  let id = 0;
  await changeLinkifiers(app, caller, async (linkifiers, tx) => {
    requireValidLinkifier(fields, linkifiers);
    if (linkifiers.length >= MAX_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_LINKIFIERS} linkifiers at most.`);
    }
    id = await tx.nextId("linkifier");
    return [...linkifiers, { id, ...fields }];
  });
  return id;
}

/**
 * Updates a linkifier and keeps its position; fields that are not given stay unchanged.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function updateLinkifier(
  app: ChatApp,
  caller: Caller,
  { id, sent }: { id: number; sent: ParamValues<typeof linkifierParams> },
): Promise<void> {
  await changeLinkifiers(app, caller, (linkifiers) => {
    const before = linkifiers.find((linkifier) => linkifier.id === id);
    if (before === undefined) throw linkifierNotFound();
    const after = { id, ...parseLinkifierFields(sent, before) };
    requireValidLinkifier(after, linkifiers.filter((linkifier) => linkifier !== before));
    const isUnchanged = JSON.stringify(after) === JSON.stringify(before);
    return isUnchanged ? linkifiers : linkifiers.map((linkifier) => linkifier === before ? after : linkifier);
  });
}

/**
 * Deletes a linkifier; messages that contain its links keep them.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function deleteLinkifier(app: ChatApp, caller: Caller, id: number): Promise<void> {
  await changeLinkifiers(app, caller, (linkifiers) => {
    if (!linkifiers.some((linkifier) => linkifier.id === id)) throw linkifierNotFound();
    return linkifiers.filter((linkifier) => linkifier.id !== id);
  });
}

/**
 * Changes the order of all linkifiers, given by their ids.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, or BAD_REQUEST unless the ids name every linkifier exactly once.
 */
export async function reorderLinkifiers(
  app: ChatApp,
  caller: Caller,
  ids: readonly number[],
): Promise<void> {
  await changeLinkifiers(app, caller, (linkifiers) => {
    if (new Set(ids).size !== ids.length) {
      throw new AppError("BAD_REQUEST", "The ordered list must not contain duplicated linkifiers");
    }
    const byId = new Map(linkifiers.map((linkifier) => [linkifier.id, linkifier]));
    const ordered = ids.map((id) => byId.get(id)).filter((linkifier) => linkifier !== undefined);
    if (ordered.length !== linkifiers.length || ids.length !== linkifiers.length) {
      throw new AppError(
        "BAD_REQUEST",
        "The ordered list must enumerate all existing linkifiers exactly once",
      );
    }
    const isUnchanged = linkifiers.every(({ id }, position) => id === ids[position]);
    return isUnchanged ? linkifiers : ordered;
  });
}

/** Maximum number of linkifiers that are added at once, so that their audit entries fit into one commit. */
export const MAX_IMPORTED_LINKIFIERS = 100;

/**
 * Adds linkifiers after all others, all or none, and returns their number; those whose pattern exists already are
 * left out.
 * @throws AppError UNAUTHORIZED_PRINCIPAL or BAD_REQUEST.
 */
export async function importLinkifiers(
  app: ChatApp,
  caller: Caller,
  imported: readonly LinkifierFields[],
): Promise<number> {
  let count = 0;
  await changeLinkifiers(app, caller, async (linkifiers, tx) => {
    const added = imported.filter(({ pattern }) =>
      !linkifiers.some((linkifier) => linkifier.pattern === pattern)
    );
    if (added.length > MAX_IMPORTED_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `Add ${MAX_IMPORTED_LINKIFIERS} linkifiers at once at most.`);
    }
    if (linkifiers.length + added.length > MAX_LINKIFIERS) {
      throw new AppError("BAD_REQUEST", `An organization has ${MAX_LINKIFIERS} linkifiers at most.`);
    }
    let after: readonly LinkifierRecord[] = linkifiers;
    for (const fields of added) {
      requireValidLinkifier(fields, after);
      after = [...after, { id: await tx.nextId("linkifier"), ...fields }];
    }
    count = added.length;
    return added.length === 0 ? linkifiers : after;
  });
  return count;
}

/** Returns the new list of linkifiers, or the same array to leave it unchanged. */
type LinkifiersChange = (
  linkifiers: readonly LinkifierRecord[],
  tx: Tx,
) => readonly LinkifierRecord[] | Promise<readonly LinkifierRecord[]>;

/**
 * Replaces an organization's linkifiers as an administrator, with the audit entries and the event.
 * @throws AppError UNAUTHORIZED_PRINCIPAL, BAD_REQUEST when the list becomes too large, and anything `change` throws.
 */
async function changeLinkifiers(app: ChatApp, caller: Caller, change: LinkifiersChange): Promise<void> {
  await actAsAdmin(app, caller, async (context) => {
    const { tx, realm } = context;
    const key = linkifierKeys.all(realm.id);
    const before = await tx.get<readonly LinkifierRecord[]>(key) ?? [];
    const after = await change(before, tx);
    if (after === before) return;
    if (after.reduce((sum, linkifier) => sum + storedSize(linkifier), 0) > MAX_LINKIFIERS_BYTES) {
      throw new AppError(
        "BAD_REQUEST",
        `Linkifiers may take ${MAX_LINKIFIERS_BYTES} bytes together at most.`,
      );
    }
    tx.set(key, after);
    auditLinkifiers(context, { before, after });
    sendChangeEvent(context, { type: "realm_linkifiers", realm_linkifiers: after });
  });
}

/**
 * Returns the bytes that a linkifier takes in the store, which writes two for each UTF-16 unit of non-Latin-1
 * text.
 */
function storedSize(linkifier: LinkifierRecord): number {
  const json = JSON.stringify(linkifier);
  return /[\u0100-\uffff]/.test(json) ? 2 * json.length : json.length;
}

function linkifierNotFound(): AppError {
  return new AppError("BAD_REQUEST", "Linkifier not found.");
}

/**
 * Records deleted, created and changed linkifiers in the audit log, or a new order when nothing else changed.
 */
function auditLinkifiers(
  context: ActionContext,
  { before, after }: { before: readonly LinkifierRecord[]; after: readonly LinkifierRecord[] },
): void {
  const audit = (
    action: AuditAction,
    { id, pattern }: { id: number; pattern: string },
    entry: { details?: AuditDetails; values?: AuditValues | undefined } = {},
  ) => auditAction(context, { action, target: { kind: "linkifier", id, name: pattern }, ...entry });
  const previous = new Map(before.map((linkifier) => [linkifier.id, linkifier]));
  const remainingIds = new Set(after.map(({ id }) => id));
  const deleted = before.filter(({ id }) => !remainingIds.has(id));
  const changed = after.filter((linkifier) => previous.get(linkifier.id) !== linkifier);
  for (const linkifier of deleted) audit("linkifier_deleted", linkifier);
  for (const linkifier of changed) {
    const old = previous.get(linkifier.id);
    if (old === undefined) audit("linkifier_created", linkifier);
    else {
      const details = diffDetails(old, linkifier);
      audit("linkifier_changed", linkifier, { details });
    }
  }
  if (deleted.length + changed.length > 0) return;
  const [from, to] = [before, after].map((list) => ({ order: list.map(({ id }) => id) }));
  const values = from === undefined || to === undefined ? undefined : { before: from, after: to };
  audit("linkifier_reordered", { id: 0, pattern: "" }, { values });
}
