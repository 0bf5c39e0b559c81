import { AppError } from "@/lib/core/errors.ts";
import { transact, type Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { sendEvent } from "../events/emit.ts";
import { type DraftBox, draftKeys, MAX_DRAFTS } from "../users/draft_box.ts";
import { checkDrafts } from "./check_draft.ts";
import { type DraftRecord, type DraftWriter, requireOpen } from "./draft.ts";
import type { SentDraft } from "./params.ts";

/**
 * Keeps drafts, and gives their ids in the same order.
 * @throws AppError BAD_REQUEST, and then none is kept.
 */
export async function createDrafts(
  app: ChatApp,
  writer: DraftWriter,
  sent: readonly SentDraft[],
): Promise<number[]> {
  const checked = await checkDrafts(app, writer, sent);
  const { realm, user } = writer;
  return await transact(app.store, async (tx) => {
    const box = await getOpenBox(tx, writer);
    if (box.ids.length + checked.length > MAX_DRAFTS) {
      throw new AppError("BAD_REQUEST", `You can keep ${MAX_DRAFTS} drafts at most.`);
    }
    const ids: number[] = [];
    for (const draft of checked) {
      const record: DraftRecord = { id: await tx.nextId("draft"), ...draft };
      ids.push(record.id);
      tx.set(draftKeys.draft(realm.id, user.id, record.id), record);
      // One event each: many drafts together are too large for one.
      tell(tx, app.clock.now(), { writer, op: "add", drafts: [record] });
    }
    tx.set(draftKeys.box(realm.id, user.id), { ...box, ids: [...box.ids, ...ids] } satisfies DraftBox);
    return ids;
  }, queueOf(writer));
}

/**
 * Puts a draft in the place of another.
 * @throws AppError BAD_REQUEST.
 */
export async function editDraft(
  app: ChatApp,
  writer: DraftWriter,
  { id, sent }: { id: number; sent: SentDraft },
): Promise<void> {
  const [checked] = await checkDrafts(app, writer, [sent]);
  if (checked === undefined) return;
  await transact(app.store, async (tx) => {
    requireKept(await getOpenBox(tx, writer), id);
    const record: DraftRecord = { id, ...checked };
    tx.set(draftKeys.draft(writer.realm.id, writer.user.id, id), record);
    tell(tx, app.clock.now(), { writer, op: "update", draft: record });
  }, queueOf(writer));
}

/**
 * Forgets a draft.
 * @throws AppError BAD_REQUEST.
 */
export async function deleteDraft(app: ChatApp, writer: DraftWriter, id: number): Promise<void> {
  const { realm, user } = writer;
  await transact(app.store, async (tx) => {
    const box = await getOpenBox(tx, writer);
    requireKept(box, id);
    tx.delete(draftKeys.draft(realm.id, user.id, id));
    const ids = box.ids.filter((other) => other !== id);
    tx.set(draftKeys.box(realm.id, user.id), { ...box, ids } satisfies DraftBox);
    tell(tx, app.clock.now(), { writer, op: "remove", draft_id: id });
  }, queueOf(writer));
}

function queueOf({ realm, user }: DraftWriter): string {
  return `drafts ${realm.id} ${user.id}`;
}

async function getOpenBox(tx: Tx, { realm, user }: DraftWriter): Promise<DraftBox> {
  return requireOpen(await tx.get<DraftBox>(draftKeys.box(realm.id, user.id)));
}

function requireKept({ ids }: DraftBox, id: number): void {
  if (!ids.includes(id)) throw new AppError("BAD_REQUEST", "Draft does not exist");
}

function tell(
  tx: Tx,
  now: number,
  { writer, ...change }: { writer: DraftWriter; op: string; [member: string]: unknown },
): void {
  const { realm, user } = writer;
  sendEvent(tx, { realmId: realm.id, now }, { event: { type: "drafts", ...change }, audience: [user.id] });
}
