import { z } from "zod";

const linkifierSchema = z.object({
  id: z.int(),
  pattern: z.string(),
  url_template: z.string(),
  example_input: z.string().nullable(),
  reverse_template: z.string().nullable(),
  alternative_url_templates: z.array(z.string()),
}).meta({ id: "Linkifier" });

/** Every linkifier in order. */
export const linkifiersSchema = z.object({
  linkifiers: z.array(linkifierSchema).meta({ description: "An earlier one wins over a later one." }),
});

/** Every linkifier in order, as registering gives them. */
export const realmLinkifiersSchema = z.object({ realm_linkifiers: linkifiersSchema.shape.linkifiers });

/** A linkifier that was just made. */
export const madeLinkifierSchema = z.object({ id: z.int() });
