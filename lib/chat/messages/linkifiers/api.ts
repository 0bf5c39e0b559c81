import { z } from "zod";
import {
  boundedString,
  described,
  intList,
  json,
  optional,
  type ParamValues,
  trimmed,
} from "@/lib/chat/organization/params/param.ts";
import { type LinkifierFields, MAX_ALTERNATIVES, MAX_PATTERN, MAX_TEMPLATE } from "./model/linkifier.ts";

const template = trimmed({ max: MAX_TEMPLATE });

/** Parameters of creating and updating a linkifier. */
export const linkifierParams = {
  pattern: described(
    trimmed({ max: MAX_PATTERN }),
    "RE2 regular expression with optional named groups: (?P<name>…). Matches of whole words become links.",
  ),
  url_template: described(template, "RFC 6570 URL template whose variables are the named groups."),
  example_input: described(optional(template), "Text that the pattern matches; empty for none."),
  reverse_template: described(
    optional(template),
    "Template that converts a URL to the short text, with groups as {name} and literal braces as {{ and }}. " +
      "Must produce the example. Empty or null for none.",
  ),
  alternative_url_templates: described(
    optional(json(z.array(boundedString({ max: MAX_TEMPLATE })).max(MAX_ALTERNATIVES))),
    "Additional URL templates, used only for converting a URL to the short text.",
  ),
};

export const reorderLinkifiersParams = {
  ordered_linkifier_ids: described(intList(), "Ids of all linkifiers in their new order."),
};

/** Converts the parameters of a linkifier to its fields; those left out are taken from `before`, or empty. */
export function parseLinkifierFields(
  sent: ParamValues<typeof linkifierParams>,
  before?: LinkifierFields,
): LinkifierFields {
  const { pattern, url_template, example_input, reverse_template, alternative_url_templates } = sent;
  return {
    pattern,
    url_template,
    example_input: example_input === undefined ? before?.example_input ?? null : example_input || null,
    reverse_template: reverse_template === undefined
      ? before?.reverse_template ?? null
      // Form-encoded clients cannot send JSON null.
      : reverse_template === "null"
      ? null
      : reverse_template || null,
    alternative_url_templates: alternative_url_templates?.map((text) => text.trim()) ??
      before?.alternative_url_templates ?? [],
  };
}

const linkifierSchema = z.object({
  id: z.int(),
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
}).meta({ id: "Linkifier" });

export const linkifiersSchema = z.object({
  linkifiers: z.array(linkifierSchema).meta({
    description: "In order of precedence: earlier linkifiers override later ones.",
  }),
});

/** Linkifiers in the response of POST /register. */
export const realmLinkifiersSchema = z.object({ realm_linkifiers: linkifiersSchema.shape.linkifiers });

export const createdLinkifierSchema = z.object({ id: z.int() });
