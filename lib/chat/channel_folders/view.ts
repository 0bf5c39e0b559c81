import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import type { RenderContext } from "../rendering/context.ts";
import { element } from "../rendering/markup.ts";
import { renderMessage } from "../rendering/render_message.ts";
import type { FolderRecord } from "./folder.ts";

/** The longest html of a description, in UTF-16 units: its event must fit into the store. Longer ones are shown as text. */
const MAX_HTML = 20_000;

/** What folders are shown with. */
export interface FolderViewer {
  readonly app: Pick<ChatApp, "config">;
  readonly realm: RealmRecord;
}

/** A folder as the API shows it; folders are shown in ascending order of `order`. */
export function toFolder(viewer: FolderViewer, folder: FolderRecord, order: number) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: renderFolderDescription(viewer, folder.description),
    order,
    creator_id: folder.creator_id,
    date_created: Math.floor(folder.date_created / 1000),
    is_archived: folder.is_archived,
  };
}

/** A folder's description as HTML; it mentions nobody. */
export function renderFolderDescription({ app, realm }: FolderViewer, description: string): string {
  const context: RenderContext = {
    findUser: () => null,
    findGroup: () => null,
    findChannel: () => null,
    findEmoji: () => null,
    translateEmoticons: false,
    realmUrl: realmUrl(app, realm),
  };
  const { html } = renderMessage(description, context);
  return html.length <= MAX_HTML ? html : element("p", {}, description);
}
