import type { RealmRecord } from "@/lib/chat/organization/organizations/model.ts";
import type { UserRecord } from "@/lib/chat/organization/users/model.ts";
import type { Formatter } from "@/lib/ui/formatter.ts";
import type { Theme } from "@/lib/ui/themes.ts";
import type { Translate } from "@/lib/ui/translate.ts";

/** The event stream of a page that shows changeable records. */
interface PageEventStream {
  /** Path of the stream, including a query. */
  readonly path: string;
  /** Event id that the page's content is up to date with. */
  readonly position: number;
}

/** A one-time message after a redirect. */
export interface FlashMessage {
  readonly text: string;
  /** Form that reverses the action; null if none does. */
  readonly undo: FlashUndo | null;
}

/** A form of an administration page. */
export interface FlashUndo {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A signed-in user of the admin pages and the language, theme and messages of their pages. */
export interface AdminSession {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  /** Returns whether the user may open a path of the admin pages. */
  readonly opens: (path: string) => boolean;
  readonly formatter: Formatter;
  /** Formats an English text in the user's language. */
  readonly t: Translate;
  /** Time zone of all times on a page (IANA). */
  readonly timeZone: string;
  /** Cookie in which a script stores the browser's time zone, in place of `ZONE`; empty for users who have chosen one. */
  readonly zoneCookie: string;
  readonly theme: Theme;
  /** Whether shortcuts of a single key are on. */
  readonly hasSingleKeys: boolean;
  /** Flash message of the form that led to this page; null without one. */
  readonly notice: FlashMessage | null;
  /** Event stream of the page; missing on pages whose content no one else changes. */
  readonly news?: PageEventStream;
}
