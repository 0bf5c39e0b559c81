/** A person as a mention shows them. */
export interface UserRef {
  readonly id: number;
  readonly full_name: string;
}

/** A group as a mention shows it; who may mention it is decided by the caller. */
export interface GroupRef {
  readonly id: number;
  readonly name: string;
}

/** A channel as a link shows it. */
export interface ChannelRef {
  readonly id: number;
  readonly name: string;
}

/** An emoji that the organization or the service adds to the standard ones. */
export interface CustomEmojiRef {
  readonly code: string;
  readonly type: string;
  /** Where its picture is: on this server; without one the name stays text. */
  readonly url?: string;
}

/** A place in a text that becomes a link; offsets in UTF-16 units, `end` exclusive. */
export interface LinkMatch {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** Finds what the organization's linkifiers make of a text; takes linear time. */
export type Linkify = (text: string) => readonly LinkMatch[];

/** All that a message's rendering depends on besides its text; the functions answer from what was read before. */
export interface RenderContext {
  /** The user of that name; with an id, the one who has both; an empty name leaves it to the id. */
  readonly findUser: (name: string, id: number | null) => UserRef | null;
  readonly findGroup: (name: string) => GroupRef | null;
  /** A channel that the author may link to. */
  readonly findChannel: (name: string) => ChannelRef | null;
  readonly findEmoji: (name: string) => CustomEmojiRef | null;
  /** Without it, nothing is linkified. */
  readonly linkify?: Linkify;
  /** Whether `:)` and its like become emoji. */
  readonly translateEmoticons: boolean;
  /** The organization's address, without a final slash. */
  readonly realmUrl: string;
  /** How the empty topic is called. */
  readonly emptyTopicName?: string;
  /** The language of code blocks that name none. */
  readonly codeLanguage?: string;
}

/** A rendered message and what was found in it. */
export interface Rendered {
  /** Of at most MAX_HTML_LENGTH, passed through the allow-list. */
  readonly html: string;
  /** Without silent mentions; each once, in the order of the text. */
  readonly mentioned_user_ids: readonly number[];
  readonly mentioned_group_ids: readonly number[];
  /** Whether everyone in the channel, everyone in the topic is mentioned. */
  readonly wildcard: { readonly stream: boolean; readonly topic: boolean };
  readonly has_link: boolean;
  /** Whether a link leads to a picture. */
  readonly has_image: boolean;
  /** Paths of linked uploads: `/user_uploads/…`, without query; each once. */
  readonly attachments: readonly string[];
  readonly is_me_message: boolean;
}
