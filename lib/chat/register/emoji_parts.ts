import { z } from "zod";
import { realmEmojiSchema } from "../emoji/schema.ts";
import { listRealmEmoji } from "../emoji/view.ts";
import { openPart } from "./part.ts";

/** The organization's own emoji by id, those out of use among them. */
export const realmEmoji = openPart(
  "realm_emoji",
  z.object({ realm_emoji: realmEmojiSchema.shape.emoji }),
  async ({ app, realm }) => ({ realm_emoji: await listRealmEmoji(app, realm.id) }),
);
