import { z } from "zod";
import { MAX_MESSAGE } from "../messages/message.ts";
import { MAX_PARTICIPANTS } from "../messages/place.ts";
import { boundedString, described, json } from "../params/param.ts";

/** Drafts that one request makes at most. */
const MAX_AT_ONCE = 100;

const draft = z.object({
  type: z.literal(["", "stream", "private"]),
  to: z.array(z.int()).max(MAX_PARTICIPANTS),
  topic: z.string(),
  content: boundedString({ max: MAX_MESSAGE, min: 1 }),
  timestamp: z.int().optional(),
});

/** A draft as a request has it. */
export type SentDraft = z.infer<typeof draft>;

const FIELDS =
  "`type` (empty, `stream` or `private`), `to` (ids), `topic`, `content` and `timestamp` (seconds)";

/** The parameters of keeping drafts. */
export const createDraftsParams = {
  drafts: described(json(z.array(draft).max(MAX_AT_ONCE)), `Objects of ${FIELDS}.`),
};

/** The parameters of editing a draft. */
export const editDraftParams = { draft: described(json(draft), `An object of ${FIELDS}.`) };
