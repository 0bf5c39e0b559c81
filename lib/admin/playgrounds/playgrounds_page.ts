import {
  createPlayground,
  deletePlayground,
  isLanguage,
  MAX_LANGUAGE,
  MAX_PLAYGROUND_NAME,
  MAX_PLAYGROUND_TEMPLATE,
  playgroundList,
  type PlaygroundRecord,
} from "@/lib/chat/playgrounds.ts";
import { type AdminPageSpec, type Done, FormRefusal } from "../admin_page.ts";
import { type AdminRequest, pathId } from "../admin_request.ts";
import { findTooLong } from "../find_too_long.ts";
import type { FormFields } from "../form_fields.ts";
import { refusedByField } from "../refused_by_field.ts";

const LIST = "/admin/playgrounds";

/** Data of the page of code playgrounds. */
export interface PlaygroundsData {
  /** The oldest first. */
  readonly playgrounds: readonly PlaygroundRecord[];
  readonly isFull: boolean;
  /** Maximum length of a name, in code points. */
  readonly nameLimit: number;
}

/** The page of all code playgrounds: list, create. */
export const playgroundsPage: AdminPageSpec<PlaygroundsData> = {
  load: loadPlaygrounds,
  actions: { create: { run: create } },
};

/** The page that confirms deleting a code playground. */
export const deletePlaygroundPage: AdminPageSpec<PlaygroundRecord> = {
  load: findPlayground,
  actions: { delete: { run: remove } },
};

async function loadPlaygrounds({ chat, realm }: AdminRequest): Promise<PlaygroundsData> {
  const playgrounds = await playgroundList.read(chat, { realm });
  return {
    playgrounds,
    isFull: playgrounds.length >= playgroundList.max,
    nameLimit: MAX_PLAYGROUND_NAME,
  };
}

async function findPlayground(request: AdminRequest): Promise<PlaygroundRecord | null> {
  const all = await playgroundList.read(request.chat, request);
  return all.find(({ id }) => id === pathId(request)) ?? null;
}

async function create(request: AdminRequest, form: FormFields): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const read = (name: Exclude<keyof PlaygroundRecord, "id">) => form.text(name).trim();
  const fields = {
    name: read("name"),
    pygments_language: read("pygments_language"),
    url_template: read("url_template"),
  };
  const problems = await findProblems(request, fields);
  if (Object.keys(problems).length > 0) throw new FormRefusal(problems);
  await refusedByField(() => createPlayground(chat, caller, fields), "url_template");
  return { flash: formatter.t(messages.playgrounds.created, { name: fields.name }) };
}

/** Returns the problems by field that the action does not name by field. */
async function findProblems(
  request: AdminRequest,
  { name, pygments_language, url_template }: Omit<PlaygroundRecord, "id">,
): Promise<Readonly<Record<string, string>>> {
  const { chat, realm, messages: { playgrounds: text } } = request;
  const problems = findTooLong(request, {
    name: [name, MAX_PLAYGROUND_NAME],
    pygments_language: [pygments_language, MAX_LANGUAGE],
    url_template: [url_template, MAX_PLAYGROUND_TEMPLATE],
  });
  if (!isLanguage(pygments_language)) problems["pygments_language"] = text.badLanguage;
  const others = await playgroundList.read(chat, { realm });
  if (others.some((other) => other.name === name && other.pygments_language === pygments_language)) {
    problems["name"] = text.taken;
  }
  return problems;
}

async function remove(request: AdminRequest): Promise<Done> {
  const { chat, caller, formatter, messages } = request;
  const playground = await findPlayground(request);
  await deletePlayground(chat, caller, pathId(request));
  return {
    flash: formatter.t(messages.playgrounds.deleted, { name: playground?.name ?? "" }),
    to: LIST,
  };
}
