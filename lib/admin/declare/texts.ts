import { useAdmin } from "@/components/admin/admin_view.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Phrase, PhraseValues } from "@/lib/ui/formatter.ts";
import type { Messages } from "@/lib/ui/messages/catalogue.ts";
import { translate } from "@/lib/ui/messages/pseudo.ts";

/** Formats a text in the user's language. */
export type Format = (phrase: Phrase, values?: PhraseValues) => string;

/** A text, or one that depends on the page's data. */
export type Wording<Data> = Phrase | ((data: Data, t: Format, messages: Messages) => string);

/** Returns the administrator for whom the page is rendered, and the page's English texts in their language. */
export function useTexts<Texts>(texts: Texts): AdminSession & { readonly text: Texts; readonly t: Format } {
  const admin = useAdmin();
  const { formatter } = admin;
  const t: Format = (phrase, values) => formatter.t(translate(formatter.language, phrase), values);
  return { ...admin, text: translate(formatter.language, texts), t };
}

/** Returns a function that gives the text of a wording. */
export function useWording<Data>(data: Data): (wording: Wording<Data>) => string {
  const { t, messages } = useTexts(null);
  return (wording) => typeof wording === "function" ? wording(data, t, messages) : t(wording);
}
