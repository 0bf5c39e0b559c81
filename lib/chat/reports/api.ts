import { z } from "zod";
import { choice, described, optional, trimmed } from "../params/param.ts";
import { MAX_REPORT_DESCRIPTION, REPORT_TYPES } from "./model.ts";

/** Parameters of reporting a message. */
export const reportMessageParams = {
  report_type: described(choice(REPORT_TYPES.map(({ key }) => key)), "The reason."),
  description: described(
    optional(trimmed({ max: MAX_REPORT_DESCRIPTION })),
    "An explanation for the moderators; required for the reason `other`.",
  ),
};

/** The reasons for reports, for clients. */
export const reportTypesSchema = z.object({
  server_report_message_types: z.array(z.object({ key: z.string(), name: z.string() })),
});
