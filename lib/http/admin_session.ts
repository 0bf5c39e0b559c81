import type { RealmRecord } from "@/lib/chat/realm/realm.ts";
import type { UserRecord } from "@/lib/chat/users/user.ts";
import type { Speech } from "@/lib/ui/speech.ts";
import type { Theme } from "@/lib/ui/themes.ts";
import type { Words } from "@/lib/ui/words/catalogue.ts";

/** Where a page is told what is changed elsewhere of what it shows. */
export interface PageNewsLine {
  /** Has a query already. */
  readonly path: string;
  /** The id up to which the page shows what all events tell. */
  readonly position: number;
}

/** An administrator who looks at a page, and how he is spoken to. */
export interface AdminSession {
  readonly realm: RealmRecord;
  readonly user: UserRecord;
  readonly speech: Speech;
  readonly words: Words;
  readonly theme: Theme;
  /** Whether single keys are shortcuts. */
  readonly hasSingleKeys: boolean;
  /** What the form did that led here, or null. */
  readonly notice: string | null;
  /** Where a page is told what others change of it; there where it shows anything that they may. */
  readonly news?: PageNewsLine;
}
