import { useAdmin } from "@/components/admin/admin_view.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Phrase, PhraseValues } from "@/lib/ui/formatter.ts";
import { translate } from "@/lib/ui/messages/pseudo.ts";

/** Formats a text in the user's language. */
export type Format = (phrase: Phrase, values?: PhraseValues) => string;

/** A text, or one that depends on the page's data. */
export type Wording<Data> = Phrase | ((data: Data, t: Format) => string);

/** Returns the administrator for whom the page is rendered, and the page's English texts in their language. */
export function useTexts<Texts>(texts: Texts): AdminSession & { readonly text: Texts; readonly t: Format } {
  const admin = useAdmin();
  const { formatter } = admin;
  const t: Format = (phrase, values) => formatter.t(translate(formatter.language, phrase), values);
  return { ...admin, text: translate(formatter.language, texts), t };
}

/** Returns the text of a wording. */
export function word<Data>(wording: Wording<Data>, data: Data, t: Format): string {
  return typeof wording === "function" ? wording(data, t) : t(wording);
}
