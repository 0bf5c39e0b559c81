import { useSignal } from "@preact/signals";
import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";

interface RevealPasswordProps {
  /** Id of the password field. */
  readonly fieldId: string;
  /** Label of the password field, for screen readers. */
  readonly label: string;
  /** Text of the button. */
  readonly showText: string;
}

/** Renders a button that shows or hides what is typed in a password field; hidden without JavaScript. */
export default function RevealPassword({ fieldId, label, showText }: RevealPasswordProps) {
  const isShown = useSignal(false);
  const toggle = () => {
    const field = document.getElementById(fieldId);
    if (!(field instanceof HTMLInputElement)) return;
    isShown.value = !isShown.value;
    field.type = isShown.value ? "text" : "password";
  };
  return (
    <button
      type="button"
      aria-pressed={isShown.value}
      class={`${QUIET_BUTTON} flex-none aria-pressed:border-ink aria-pressed:bg-wash noscript:hidden`}
      onClick={toggle}
    >
      {showText}
      <span class="sr-only">: {label}</span>
    </button>
  );
}
