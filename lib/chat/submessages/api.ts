import { z } from "zod";
import { choice, described, int, text } from "../params/param.ts";
import { MAX_SUBMESSAGE } from "./model/submessage.ts";

/** Parameters of adding a submessage. */
export const addSubmessageParams = {
  message_id: described(int(), "Id of a message that is a poll or a to-do list."),
  msg_type: described(choice(["widget"]), "Always `widget`."),
  content: described(
    text({ max: MAX_SUBMESSAGE }),
    "JSON with a `type`: `vote`, `new_option` or `question` for a poll; `new_task`, `strike` or " +
      "`new_task_list_title` for a to-do list.",
  ),
};

/** A submessage as messages contain it. */
export const submessageSchema = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.literal("widget"),
  content: z.string().meta({ description: "JSON: first the widget, then its changes." }),
}).meta({ id: "Submessage" });
