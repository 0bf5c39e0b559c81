import { described, text } from "../params/param.ts";
import { MAX_MESSAGE } from "./message.ts";

/** The parameters of rendering. */
export const renderParams = { content: described(text({ max: MAX_MESSAGE }), "Markdown.") };
