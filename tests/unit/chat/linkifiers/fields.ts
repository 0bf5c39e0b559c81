import type { LinkifierFields } from "@/lib/chat/linkifiers/linkifier.ts";

/** A linkifier of a test. */
export function fields(
  pattern: string,
  url_template = "https://x.example/",
  more: Partial<LinkifierFields> = {},
): LinkifierFields {
  return {
    pattern,
    url_template,
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [],
    ...more,
  };
}
