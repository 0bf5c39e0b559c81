import { z } from "zod";
import { MAX_MESSAGE } from "../messages/message.ts";
import { boundedString, described, optional, type Param, text } from "../params/param.ts";
import { MAX_SNIPPET_TITLE } from "./snippet.ts";

/** Text that is never blank; NUL characters and blanks around it do not count. */
function written(max: number): Param<string> {
  const schema = z.string().overwrite((sent) => sent.replaceAll("\0", "").trim());
  return { ...text(), schema: schema.pipe(boundedString({ max, min: 1 })).meta({ maxLength: max }) };
}

const title = described(written(MAX_SNIPPET_TITLE), "Need not be unique.");
const content = described(written(MAX_MESSAGE), "Markdown.");

/** The parameters of keeping a snippet. */
export const createSnippetParams = { title, content };

/** The parameters of editing a snippet. */
export const editSnippetParams = { title: optional(title), content: optional(content) };
