import {
  type LinkifierFields,
  MAX_ALTERNATIVES,
  MAX_PATTERN,
  MAX_TEMPLATE,
} from "@/lib/chat/linkifiers/model/linkifier.ts";
import { codePointLength } from "@/lib/core/text.ts";
import { FormRefusal } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { findTooLong } from "../find_too_long.ts";

/** A linkifier as its form holds it. */
export interface LinkifierFormValues {
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string;
  readonly reverse_template: string;
  /** One template per line. */
  readonly alternative_url_templates: string;
}

/** Returns the form values of a linkifier; all empty for none. */
export function toFormValues(fields: LinkifierFields | null): LinkifierFormValues {
  return {
    pattern: fields?.pattern ?? "",
    url_template: fields?.url_template ?? "",
    example_input: fields?.example_input ?? "",
    reverse_template: fields?.reverse_template ?? "",
    alternative_url_templates: fields?.alternative_url_templates.join("\n") ?? "",
  };
}

/** Returns the linkifier that a form describes, valid or not. */
export function toLinkifierFields(read: (name: keyof LinkifierFormValues) => string): LinkifierFields {
  return {
    pattern: read("pattern").trim(),
    url_template: read("url_template").trim(),
    example_input: read("example_input").trim() || null,
    reverse_template: read("reverse_template").trim() || null,
    alternative_url_templates: read("alternative_url_templates").split("\n").map((line) => line.trim())
      .filter((line) => line !== ""),
  };
}

/** Returns messages for values that are too long, by field. */
export function tooLongFields(
  request: Pick<AdminRequest, "messages" | "formatter">,
  fields: LinkifierFields,
): Readonly<Record<string, string>> {
  const { messages, formatter } = request;
  const problems = findTooLong(request, {
    pattern: [fields.pattern, MAX_PATTERN],
    url_template: [fields.url_template, MAX_TEMPLATE],
    example_input: [fields.example_input, MAX_TEMPLATE],
    reverse_template: [fields.reverse_template, MAX_TEMPLATE],
  });
  const lines = fields.alternative_url_templates;
  const long = lines.findIndex((line) => codePointLength(line) > MAX_TEMPLATE);
  if (lines.length > MAX_ALTERNATIVES) {
    problems["alternative_url_templates"] = formatter.t(messages.linkifiers.tooManyLines, {
      count: MAX_ALTERNATIVES,
    });
  } else if (long >= 0) {
    problems["alternative_url_templates"] = formatter.t(messages.linkifiers.lineTooLong, { line: long + 1 });
  }
  return problems;
}

/**
 * Reads the linkifier of a form.
 * @throws FormRefusal for values that are too long.
 */
export function readLinkifierForm(request: AdminRequest, fields: FormFields): LinkifierFields {
  const wanted = toLinkifierFields((name) => fields.text(name));
  const problems = tooLongFields(request, wanted);
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  return wanted;
}
