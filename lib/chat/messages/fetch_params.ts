import { bool, described, withDefault } from "../params/param.ts";

/** The parameters of getting one message. */
export const fetchMessageParams = {
  apply_markdown: described(withDefault(bool(), true), "HTML, rather than Markdown as it was written."),
  allow_empty_topic_name: described(
    withDefault(bool(), false),
    "Shows the topic without a name as such, rather than under its display name.",
  ),
};
