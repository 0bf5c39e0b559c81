import { z } from "zod";
import { bool, described, json, optional, text, withDefault } from "../params/param.ts";

/** Days of presence that a client wants, at most; all that there is when it is left out. */
export const historyDays = described(
  optional(json(z.int().min(0))),
  "Days of history; 14 when it is left out, and with 0 nobody is told of.",
);

/** The parameters of a report. */
export const reportParams = {
  status: described(text(), "`active` when you did something lately, else `idle`."),
  ping_only: described(withDefault(bool(), false), "Whether the answer leaves out who else is there."),
  new_user_input: described(
    withDefault(bool(), false),
    "Whether you did something since the last report. It changes nothing.",
  ),
  slim_presence: described(withDefault(bool(), false), "Whether presence comes by user id."),
  last_update_id: described(
    optional(json(z.int().min(-1))),
    "The `presence_last_update_id` of the last answer, or -1: only newer presence comes, by user id.",
  ),
  history_limit_days: historyDays,
};
