import type { ChatApp } from "@/lib/chat/app.ts";
import { readEmoticonOption } from "@/lib/chat/user_settings/store.ts";
import { type ContentAuthor, prepareContent, type PreparedContent } from "./prepare_content.ts";

/**
 * Renders content that a user wrote, by the user's setting for emoticons.
 * @throws AppError BAD_REQUEST when it mentions a group that the user cannot mention.
 */
export async function prepareUserContent(
  app: ChatApp,
  { realm, author }: Pick<ContentAuthor, "realm" | "author">,
  content: string,
): Promise<PreparedContent> {
  const translatesEmoticons = readEmoticonOption(app, realm.id, author);
  return await prepareContent(app, { realm, author, translatesEmoticons }, content);
}

/**
 * Returns the HTML of content as a message of a user; sends nothing.
 * @throws AppError as `prepareUserContent`.
 */
export async function renderContent(
  app: ChatApp,
  author: Pick<ContentAuthor, "realm" | "author">,
  content: string,
): Promise<string> {
  return (await prepareUserContent(app, author, content)).html;
}
