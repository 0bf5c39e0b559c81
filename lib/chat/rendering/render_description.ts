import { renderElement } from "./markup.ts";
import { renderMessage } from "./render_message.ts";

/**
 * Maximum length of the HTML, in UTF-16 units, so that its event fits into the store; longer ones are shown
 * as text.
 */
const MAX_DESCRIPTION_HTML = 20_000;
/** Wildcard mentions, which are plain words in descriptions. */
const MENTION = /<span class="(?:user|topic)-mention[^<>]*>([^<]*)<\/span>/g;

/**
 * Renders a description of a user, channel or organization, without mentions. `realmUrl` is the base URL of
 * the organization. HTML longer than `maxLength` UTF-16 units is replaced by the text.
 */
export function renderDescription(
  text: string,
  realmUrl: string,
  maxLength: number = MAX_DESCRIPTION_HTML,
): string {
  const { html } = renderMessage(text, {
    findUser: () => null,
    findGroup: () => null,
    findChannel: () => null,
    findEmoji: () => null,
    translateEmoticons: false,
    realmUrl,
  });
  const shown = html.replace(MENTION, "$1");
  return shown.length <= maxLength ? shown : renderElement("p", {}, text);
}
