import { render } from "preact";
import { createFormatter } from "@/lib/ui/formatter.ts";
import { type ComboboxMessages, PeopleCombobox } from "./PeopleCombobox.tsx";

interface ComboboxTexts {
  readonly language: string;
  readonly messages: ComboboxMessages;
}

/**
 * Puts a combobox in place of the text of a field for people. The text stays in the form and holds the value, in the
 * format that it has without a script.
 */
export function mountCombobox(field: HTMLElement, { language, messages }: ComboboxTexts): void {
  const area = field.querySelector("textarea");
  const label = field.querySelector("label");
  if (area === null || area.hidden) return;
  const inputId = `${area.id}-search`;
  const box = document.createElement("div");
  area.before(box);
  area.hidden = true;
  if (label !== null) label.htmlFor = inputId;
  const hint = field.querySelector<HTMLElement>(`[id="${area.id}-hint"]`);
  const takesGroups = field.dataset["people"] === "groups";
  if (hint !== null) hint.textContent = takesGroups ? messages.groupsHint : messages.hint;
  const hasFocus = document.activeElement === area;
  render(
    <PeopleCombobox
      inputId={inputId}
      area={area}
      takesGroups={takesGroups}
      messages={messages}
      formatter={createFormatter({ language, timeZone: "" })}
    />,
    box,
  );
  if (hasFocus) document.getElementById(inputId)?.focus();
}
