import { useEffect } from "preact/hooks";
import type { ComboboxMessages } from "@/components/admin/people/PeopleCombobox.tsx";

interface PeopleFieldsProps {
  readonly language: string;
  readonly messages: ComboboxMessages;
}

/**
 * Turns every field for people on the page into a search. The code for it is loaded after the page works; where it
 * cannot be loaded, the fields stay texts.
 */
export default function PeopleFields({ language, messages }: PeopleFieldsProps) {
  useEffect(() => {
    const fields = [...document.querySelectorAll<HTMLElement>("[data-people]")];
    if (fields.length === 0) return;
    import("@/components/admin/people/PeopleCombobox.tsx").then(({ mountCombobox }) => {
      for (const field of fields) mountCombobox(field, { language, messages });
    }, () => {});
  }, []);
  return null;
}
