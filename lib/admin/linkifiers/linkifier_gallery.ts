import type { LinkifierFields } from "@/lib/chat/linkifiers/model/linkifier.ts";

/** A linkifier template; its URL is to be replaced. */
export interface LinkifierTemplate {
  /** Its name in URLs and in the message catalogue. */
  readonly slug: "ticket" | "issue" | "repository" | "commit" | "documentation" | "search";
  readonly fields: LinkifierFields & { readonly example_input: string };
}

/** Common linkifiers, most common first; each is valid as it is. */
export const LINKIFIER_GALLERY: readonly LinkifierTemplate[] = [
  {
    slug: "ticket",
    fields: {
      pattern: "(?P<key>[A-Z][A-Z0-9]{1,9}-[0-9]{1,7})",
      url_template: "https://tickets.example.com/browse/{key}",
      example_input: "ABC-123",
      reverse_template: "{key}",
      alternative_url_templates: [],
    },
  },
  {
    slug: "issue",
    fields: {
      pattern: "#(?P<number>[0-9]{1,8})",
      url_template: "https://code.example.com/team/project/issues/{number}",
      example_input: "#123",
      reverse_template: "#{number}",
      alternative_url_templates: ["https://code.example.com/team/project/changes/{number}"],
    },
  },
  {
    slug: "repository",
    fields: {
      pattern: "(?P<org>[A-Za-z0-9_-]+)/(?P<repository>[A-Za-z0-9_.-]+)#(?P<number>[0-9]{1,8})",
      url_template: "https://code.example.com/{org}/{repository}/issues/{number}",
      example_input: "acme/website#123",
      reverse_template: "{org}/{repository}#{number}",
      alternative_url_templates: ["https://code.example.com/{org}/{repository}/changes/{number}"],
    },
  },
  {
    slug: "commit",
    fields: {
      pattern: "(?P<hash>[0-9a-f]{7,40})",
      url_template: "https://code.example.com/team/project/commit/{hash}",
      example_input: "a3f9c21",
      reverse_template: "{hash}",
      alternative_url_templates: [],
    },
  },
  {
    slug: "documentation",
    fields: {
      pattern: "docs:(?P<path>[A-Za-z0-9/_.-]*[A-Za-z0-9/_-])",
      url_template: "https://docs.example.com/{+path}",
      example_input: "docs:guides/start",
      reverse_template: "docs:{path}",
      alternative_url_templates: [],
    },
  },
  {
    slug: "search",
    fields: {
      pattern: "find:(?P<q>[\\pL\\pN_+-]+)",
      url_template: "https://search.example.com/{?q}",
      example_input: "find:tulips",
      reverse_template: null,
      alternative_url_templates: [],
    },
  },
];

/** Returns the template of a name, or null. */
export function readLinkifierTemplate(slug: string | null): LinkifierTemplate | null {
  return LINKIFIER_GALLERY.find((template) => template.slug === slug) ?? null;
}

/** A template as the page offers it: its name and an example. */
export interface OfferedTemplate {
  readonly slug: LinkifierTemplate["slug"];
  readonly example: string;
}

/** The gallery as pages offer it. */
export const OFFERED_TEMPLATES: readonly OfferedTemplate[] = LINKIFIER_GALLERY.map(({ slug, fields }) => ({
  slug,
  example: fields.example_input,
}));
