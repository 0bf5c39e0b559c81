/** Kinds of widgets that a message can be. */
export const WIDGET_TYPES = ["poll", "todo"] as const;
/** One of the kinds of widgets. */
export type WidgetType = typeof WIDGET_TYPES[number];

/** A widget as clients receive it: the text of its message in parts. */
export interface Widget {
  readonly widget_type: WidgetType;
  readonly extra_data: PollData | TodoData;
}

/** Question and options of a new poll. */
export interface PollData {
  readonly question: string;
  readonly options: readonly string[];
}

/** Title and tasks of a new to-do list. */
export interface TodoData {
  readonly task_list_title: string;
  readonly tasks: readonly { readonly task: string; readonly desc: string }[];
}

/** Returns the kind of widget that a message becomes; null for an ordinary message. */
export function findWidgetType(content: string): WidgetType | null {
  const name = /^\/(\w+)(?!\S)/.exec(content)?.[1];
  return WIDGET_TYPES.find((type) => type === name) ?? null;
}

/**
 * Parses the text of a message that begins with `/poll` or `/todo`: the rest of the first line is the question or
 * the title, and each other line is an option, or a task with an optional description after a colon.
 */
export function parseWidget(widget_type: WidgetType, content: string): Widget {
  const [title = "", ...lines] = content.slice(widget_type.length + 1).split(/\r\n?|\n/);
  const items = lines.map((line) => line.trim().replace(/^[-*]?\s*/, "")).filter((item) => item !== "");
  if (widget_type === "poll") return { widget_type, extra_data: { question: title.trim(), options: items } };
  return { widget_type, extra_data: { task_list_title: title.trim(), tasks: items.map(parseTask) } };
}

function parseTask(item: string): { task: string; desc: string } {
  const at = item.indexOf(": ");
  return at < 0
    ? { task: item.trim(), desc: "" }
    : { task: item.slice(0, at).trim(), desc: item.slice(at + 2).trim() };
}
