import { z } from "zod";
import { MAX_MESSAGE_LENGTH, MAX_PARTICIPANTS } from "../messages/model.ts";
import { boundedString, described, exact, fractional, json } from "../params/param.ts";

/** Maximum number of drafts in one request. */
const MAX_DRAFTS_PER_REQUEST = 100;

const draft = z.object({
  type: z.literal(["", "stream", "private"]),
  to: z.array(z.int()).max(MAX_PARTICIPANTS),
  topic: boundedString(),
  content: boundedString({ max: MAX_MESSAGE_LENGTH, min: 1 }),
  timestamp: z.number().max(Number.MAX_SAFE_INTEGER).optional(),
});

/** A draft as a request contains it. */
export type DraftInput = z.infer<typeof draft>;

const FIELDS =
  "`type` (empty, `stream` or `private`), `to` (ids), `topic`, `content` and `timestamp` (seconds since " +
  "1970 UTC, of which a fraction is dropped)";

/** Parameters of creating drafts. */
export const createDraftsParams = {
  drafts: described(
    fractional(exact(json(z.array(draft).max(MAX_DRAFTS_PER_REQUEST))), ["timestamp"]),
    `Objects with ${FIELDS}.`,
  ),
};

/** Parameters of editing a draft. */
export const updateDraftParams = {
  draft: described(fractional(exact(json(draft)), ["timestamp"]), `An object with ${FIELDS}.`),
};

/** A draft as the API returns it. */
const draftSchema = z.object({
  id: z.int(),
  type: z.enum(["", "stream", "private"]),
  to: z.array(z.int()),
  topic: z.string(),
  content: z.string(),
  timestamp: z.int().meta({ description: "Seconds since 1970 UTC." }),
}).meta({ id: "Draft" });

/** Response of listing drafts. */
export const draftsSchema = z.object({ count: z.int(), drafts: z.array(draftSchema) });

/** Response of creating drafts. */
export const createdDraftsSchema = z.object({ ids: z.array(z.int()) });
