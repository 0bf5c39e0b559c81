import { useAdmin } from "@/components/admin/admin_view.ts";
import type { AdminSession } from "@/lib/services/admin_session.ts";
import type { Formatter, Phrase, PhraseValues } from "@/lib/ui/formatter.ts";
import { type Messages, translate } from "@/lib/ui/messages/catalogue.ts";

/** Formats a text in the user's language. */
export type Format = (phrase: Phrase, values?: PhraseValues) => string;

/** A text, or what is made of the page's data. */
export type Wording<Data, Result = string> =
  | Phrase
  | ((data: Data, t: Format, messages: Messages, formatter: Formatter) => Result);

/** Returns the administrator for whom the page is rendered, and the page's English texts in their language. */
export function useTexts<Texts>(texts: Texts): AdminSession & { readonly text: Texts; readonly t: Format } {
  const admin = useAdmin();
  const { formatter } = admin;
  const t: Format = (phrase, values) => formatter.t(translate(formatter.language, phrase), values);
  return { ...admin, text: translate(formatter.language, texts), t };
}

/** Returns a function that gives the text of a wording. */
export function useWording<Data>(data: Data) {
  const { t, messages, formatter } = useTexts(null);
  return <Result>(wording: Wording<Data, Result>): Result | string =>
    typeof wording === "function" ? wording(data, t, messages, formatter) : t(wording);
}
