import { element } from "./markup.ts";
import { renderMessage } from "./render_message.ts";

/** The longest html, in UTF-16 units: its event must fit into the store. Longer ones are shown as text. */
const MAX_HTML = 20_000;
/** What mentions all, wherever it stands; here it is only a word. */
const MENTION = /<span class="(?:user|topic)-mention[^>]*>([^<]*)<\/span>/g;

/** The html of what is said about somebody or something, which mentions nobody; `realmUrl` is the organization's address. */
export function renderAbout(text: string, realmUrl: string): string {
  const { html } = renderMessage(text, {
    findUser: () => null,
    findGroup: () => null,
    findChannel: () => null,
    findEmoji: () => null,
    translateEmoticons: false,
    realmUrl,
  });
  const shown = html.replace(MENTION, "$1");
  return shown.length <= MAX_HTML ? shown : element("p", {}, text);
}
