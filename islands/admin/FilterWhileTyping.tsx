import { useEffect } from "preact/hooks";
import { filterWhileTyping } from "@/lib/client/filter_list.ts";

/** Filters a list while its search is typed; the button of the form does the same without scripts. */
export default function FilterWhileTyping({ formId }: { readonly formId: string }) {
  useEffect(() => {
    const form = document.getElementById(formId);
    return form instanceof HTMLFormElement ? filterWhileTyping(form) : undefined;
  }, []);
  return null;
}
