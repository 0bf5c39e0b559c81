import type { ChatApp } from "../app.ts";
import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import { renderAbout } from "../rendering/render_about.ts";
import type { FolderRecord } from "./folder.ts";

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
  return renderAbout(description, realmUrl(app, realm));
}
