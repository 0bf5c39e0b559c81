import { z } from "zod";
import { boundedString, described, intList, json, optional, trimmed } from "../params/param.ts";
import { MAX_ALTERNATIVES, MAX_PATTERN, MAX_TEMPLATE } from "./linkifier.ts";

const template = trimmed({ max: MAX_TEMPLATE });

/** What a linkifier takes. */
export const linkifierParams = {
  pattern: described(
    trimmed({ max: MAX_PATTERN }),
    "A regular expression of RE2 that becomes a link where it stands by itself; may have named groups: (?P<name>…).",
  ),
  url_template: described(template, "A template of RFC 6570 whose variables are the named groups."),
  example_input: described(optional(template), "A text that the pattern is found in; empty for none."),
  reverse_template: described(
    optional(template),
    "Makes the text out of the groups, written {name}; {{ and }} are braces. Must give the example. Empty or null for none.",
  ),
  alternative_url_templates: described(
    optional(json(z.array(boundedString({ max: MAX_TEMPLATE })).max(MAX_ALTERNATIVES))),
    "Further templates of the address, for making text of addresses alone.",
  ),
};

/** What a new order of linkifiers takes. */
export const reorderLinkifiersParams = {
  ordered_linkifier_ids: described(intList(), "The ids of all linkifiers in their new order."),
};
