export interface UserRef {
  readonly id: number;
  readonly full_name: string;
}

/** A group as a mention shows it; the caller checks who can mention it. */
export interface GroupRef {
  readonly id: number;
  readonly name: string;
}

export interface ChannelRef {
  readonly id: number;
  readonly name: string;
}

/** An emoji added by the organization or the service. */
export interface CustomEmojiRef {
  readonly code: string;
  readonly type: string;
  /** Path of its image on this server; without one the name stays text. */
  readonly url?: string;
}

/** A range of a text that becomes a link; offsets in UTF-16 units, `end` exclusive. */
export interface LinkMatch {
  readonly start: number;
  readonly end: number;
  readonly url: string;
}

/** Finds the links that the organization's linkifiers produce; linear time. */
export type Linkify = (text: string) => readonly LinkMatch[];

/**
 * Renders a formula in TeX to HTML that the sanitizer accepts; null when it is invalid. A block stands in a
 * paragraph of its own.
 */
export type RenderMath = (source: string, options: { readonly isBlock: boolean }) => string | null;

/** Everything that rendering depends on besides the text; the functions use data read beforehand. */
export interface RenderContext {
  /** Finds a user by name regardless of case; with an id both must match exactly, or the id if the name is empty. */
  readonly findUser: (name: string, id: number | null) => UserRef | null;
  readonly findGroup: (name: string) => GroupRef | null;
  /** Finds a channel that the author can link to. */
  readonly findChannel: (name: string) => ChannelRef | null;
  readonly findEmoji: (name: string) => CustomEmojiRef | null;
  /** Omitted when nothing is linkified. */
  readonly linkify?: Linkify;
  /** Without it, formulas are shown as code. */
  readonly renderMath?: RenderMath;
  /** Whether emoticons such as `:)` become emoji. */
  readonly translateEmoticons: boolean;
  /** Whether linked uploads that may be images are previewed; false by default. */
  readonly previewsImages?: boolean;
  /** Base URL of the organization, without a trailing slash. */
  readonly realmUrl: string;
  /** Display name of general chat. */
  readonly emptyTopicName?: string;
}

/** A rendered message and the references found in it. */
export interface Rendered {
  /** At most MAX_HTML_LENGTH long and sanitized. */
  readonly html: string;
  /** Without silent mentions; each once, in order of the text. */
  readonly mentioned_user_ids: readonly number[];
  readonly mentioned_group_ids: readonly number[];
  /** Whether all members of the channel or all participants of the topic are mentioned. */
  readonly wildcard: { readonly stream: boolean; readonly topic: boolean };
  readonly has_link: boolean;
  /** Whether a link points to an image. */
  readonly has_image: boolean;
  /** Distinct paths of linked uploads, `/user_uploads/…` without query. */
  readonly attachments: readonly string[];
  /** HTML of the previews in `html` by the path of their upload, as in `attachments`. */
  readonly previews: ReadonlyMap<string, string>;
  readonly is_me_message: boolean;
}
