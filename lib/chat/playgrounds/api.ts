import { z } from "zod";
import { described, type ParamValues, trimmed } from "../params/param.ts";
import {
  MAX_LANGUAGE,
  MAX_PLAYGROUND_NAME,
  MAX_PLAYGROUND_TEMPLATE,
  type PlaygroundFields,
  requireLanguage,
} from "./model.ts";

/** Parameters of adding a code playground. */
export const createPlaygroundParams = {
  name: described(trimmed({ max: MAX_PLAYGROUND_NAME }), "Name by which users choose the playground."),
  pygments_language: described(
    trimmed({ max: MAX_LANGUAGE }),
    "Language of the code blocks that open in the playground, such as `Python`.",
  ),
  url_template: described(
    trimmed({ max: MAX_PLAYGROUND_TEMPLATE }),
    "RFC 6570 URL template whose only variable is `code`.",
  ),
};

/**
 * Converts the parameters to the fields of a playground.
 * @throws AppError BAD_REQUEST for a text that cannot be the name of a language.
 */
export function parsePlaygroundFields(sent: ParamValues<typeof createPlaygroundParams>): PlaygroundFields {
  requireLanguage(sent.pygments_language);
  return sent;
}

/** Response of adding a code playground. */
export const createdPlaygroundSchema = z.object({ id: z.int() });

/** Code playgrounds in the response of POST /register. */
export const realmPlaygroundsSchema = z.object({
  realm_playgrounds: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      pygments_language: z.string(),
      url_template: z.string().meta({
        description: "RFC 6570 URL template; clients expand `code` to the text of a code block.",
      }),
    }).meta({ id: "Playground" }),
  ),
});
