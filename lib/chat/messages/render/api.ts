import { z } from "zod";
import { described, text } from "@/lib/chat/params/param.ts";
import { MAX_MESSAGE_LENGTH } from "../model.ts";

/** Parameters of rendering a message. */
export const renderParams = { content: described(text({ max: MAX_MESSAGE_LENGTH }), "Markdown.") };

/** Response of rendering a message. */
export const renderedContentSchema = z.object({ rendered: z.string().meta({ description: "HTML." }) });
