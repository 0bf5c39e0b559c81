import type { ChatApp } from "../app.ts";
import { type DraftBox, draftKeys } from "../users/draft_box.ts";
import { type DraftRecord, type DraftWriter, requireOpen } from "./draft.ts";

/**
 * Everything that an account keeps, the draft that was edited last coming last.
 * @throws AppError BAD_REQUEST for one that keeps none on the server.
 */
export async function listDrafts(app: ChatApp, { realm, user }: DraftWriter): Promise<DraftRecord[]> {
  const { ids } = requireOpen(await app.reads.read<DraftBox>(draftKeys.box(realm.id, user.id)));
  const drafts = await Promise.all(
    ids.map((id) => app.reads.read<DraftRecord>(draftKeys.draft(realm.id, user.id, id))),
  );
  return drafts.filter((draft) => draft !== null).sort((one, other) => one.timestamp - other.timestamp);
}
