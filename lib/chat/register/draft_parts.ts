import { z } from "zod";
import { listDrafts } from "../drafts/list_drafts.ts";
import { draftsSchema } from "../drafts/schema.ts";
import { type DraftBox, draftKeys } from "../users/draft_box.ts";
import { part } from "./part.ts";

const ownDraftsSchema = z.object({
  drafts: draftsSchema.shape.drafts.meta({
    description: "The one that was edited last comes first; none where the account keeps no drafts here.",
  }),
});

/** What the caller began to write. */
export const drafts = part("drafts", ownDraftsSchema, async ({ app, realm, user }) => {
  const box = await app.reads.read<DraftBox>(draftKeys.box(realm.id, user.id));
  // Whoever keeps no drafts here may register all the same.
  if (box === null || box.is_off) return { drafts: [] };
  return { drafts: (await listDrafts(app, { realm, user })).reverse() };
});
