import type { ParamValues } from "../params/param.ts";
import type { LinkifierFields } from "./linkifier.ts";
import type { linkifierParams } from "./params.ts";

/** A linkifier as it was sent; what was left out is as in `before`, or nothing. */
export function sentFields(
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
      // Clients that send no JSON have no other way to say it.
      : reverse_template === "null"
      ? null
      : reverse_template || null,
    alternative_url_templates: alternative_url_templates?.map((text) => text.trim()) ??
      before?.alternative_url_templates ?? [],
  };
}
