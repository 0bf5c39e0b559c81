import { prepareContent, type PreparedContent } from "@/lib/chat/messages/prepare_content.ts";
import { searchWords } from "@/lib/chat/messages/narrow/search_words.ts";
import { composeText } from "../compose_text.ts";
import { CHANNELS } from "../content/channels.ts";
import { PEOPLE } from "../content/people.ts";
import { OPENERS, REPLIES, SPECIALS } from "../content/sentences.ts";
import { createDraw, type Draw } from "../draw.ts";
import type { DemoSite } from "../site.ts";
import { type Crowd, readFounder } from "./crowd.ts";

/** Probabilities that a text is a special one, and that it ends with the number of a note. */
const SHARES = { special: 0.06, opener: 0.25, note: 0.15 } as const;
/** Numbers of notes, each of which few messages name. */
const NOTES = { low: 1000, high: 9999 } as const;
/** Specials without widgets, whose submessages would be missing. */
const PLAIN_SPECIALS = SPECIALS.filter((text) => !text.startsWith("/"));

/** A rendered text with its words for the index. */
export interface PooledContent {
  readonly prepared: PreparedContent;
  readonly words: readonly string[];
}

/** Texts that many messages share, because rendering takes longer than writing. */
export class ContentPool {
  readonly contents: PooledContent[] = [];
  readonly #draw: Draw = createDraw("content pool");

  /** Renders texts until there are so many. */
  async grow(site: DemoSite, { crowd, count }: { crowd: Crowd; count: number }): Promise<void> {
    const { realm, actingUser: author } = await readFounder(site);
    while (this.contents.length < count) {
      const content = this.#drawText(crowd);
      const prepared = await prepareContent(site.app.services.chat, { realm, author }, content);
      this.contents.push({ prepared, words: [...searchWords(content)] });
    }
  }

  #drawText({ people }: Crowd): string {
    const draw = this.#draw;
    const templates = draw.chance(SHARES.special)
      ? PLAIN_SPECIALS
      : draw.chance(SHARES.opener)
      ? OPENERS
      : REPLIES;
    const drawName = () => draw.chance(0.5) ? draw.pick(PEOPLE).name : draw.pick(people).full_name;
    const { things } = draw.pick(CHANNELS);
    const text = composeText(draw, draw.pick(templates), {
      things,
      previous: drawName(),
      silent: drawName(),
    });
    return draw.chance(SHARES.note) ? `${text}\n\nSee note ${draw.between(NOTES.low, NOTES.high)}.` : text;
  }
}
