import { z } from "zod";
import { AppError } from "@/lib/core/errors.ts";
import { parseJson } from "@/lib/core/parse_json.ts";
import type { WidgetType } from "./widget.ts";

/** Maximum number that clients give to an option or a task. */
const MAX_INDEX = 1000;

const index = z.int().min(0).max(MAX_INDEX);

/** Changes of each kind of widget by type. */
const CHANGES: Readonly<Record<WidgetType, Readonly<Record<string, z.ZodType>>>> = {
  poll: {
    vote: z.strictObject({ type: z.string(), key: z.string(), vote: z.literal([1, -1]) }),
    question: z.strictObject({ type: z.string(), question: z.string() }),
    new_option: z.strictObject({ type: z.string(), option: z.string(), idx: index }),
  },
  todo: {
    new_task: z.strictObject({
      type: z.string(),
      key: index,
      task: z.string(),
      desc: z.string(),
      completed: z.boolean(),
    }),
    strike: z.strictObject({ type: z.string(), key: z.string() }),
    new_task_list_title: z.strictObject({ type: z.string(), title: z.string() }),
  },
};

/** Changes that only the sender of the message can make, with the refusal of others. */
const AUTHOR_CHANGES: ReadonlyMap<unknown, string> = new Map([
  ["question", "You can't edit a question unless you are the author."],
  ["new_task_list_title", "You can't edit the task list title unless you are the author."],
]);

/**
 * Returns the content of a submessage in the form that is stored.
 * @throws AppError BAD_REQUEST for text that is not JSON, an unknown or invalid change, and a change that only
 * the sender of the message can make.
 */
export function parseWidgetChange(
  content: string,
  { widgetType, isAuthor }: { widgetType: WidgetType; isAuthor: boolean },
): string {
  const change = parseJson(content);
  if (change === undefined) throw new AppError("BAD_REQUEST", "Invalid json for submessage");
  const type = z.object({ type: z.string() }).safeParse(change).data?.type;
  if (type === undefined) throw new AppError("BAD_REQUEST", `Invalid ${widgetType} data`);
  const schema = Object.hasOwn(CHANGES[widgetType], type) ? CHANGES[widgetType][type] : undefined;
  if (schema === undefined) {
    throw new AppError("BAD_REQUEST", `Unknown type for ${widgetType} data: ${type}`);
  }
  const parsed = schema.safeParse(change);
  if (!parsed.success) {
    const [problem] = parsed.error.issues;
    const member = problem?.path.join(".") ?? "";
    const detail = member === "" ? "" : `: ${member}`;
    throw new AppError("BAD_REQUEST", `Invalid ${widgetType} data${detail}`);
  }
  const refusal = isAuthor ? undefined : AUTHOR_CHANGES.get(type);
  if (refusal !== undefined) throw new AppError("BAD_REQUEST", refusal);
  return JSON.stringify(parsed.data);
}
