import { type RealmRecord, realmUrl } from "../realm/realm.ts";
import type { ChatApp } from "../app.ts";
import { renderMessage } from "../rendering/render_message.ts";
import { FIELD_TYPE, type ProfileFieldRecord } from "./profile_field.ts";

/** The longest html of a value, in UTF-16 units: its event must fit into the store. Longer ones are shown as text. */
const MAX_HTML = 20_000;
/** What mentions all, wherever it stands; here it is only a word. */
const MENTION = /<span class="(?:user|topic)-mention[^>]*>([^<]*)<\/span>/g;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** The html of a text value, which mentions nobody; null for fields of other types. */
export function renderValue(
  { app, realm }: { app: Pick<ChatApp, "config">; realm: RealmRecord },
  { type }: ProfileFieldRecord,
  value: string,
): string | null {
  if (type !== FIELD_TYPE.shortText && type !== FIELD_TYPE.longText) return null;
  const rendered = renderMessage(value, {
    findUser: () => null,
    findGroup: () => null,
    findChannel: () => null,
    findEmoji: () => null,
    translateEmoticons: false,
    realmUrl: realmUrl(app, realm),
  });
  const html = rendered.html.replace(MENTION, "$1");
  return html.length <= MAX_HTML
    ? html
    : `<p>${value.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)}</p>`;
}
