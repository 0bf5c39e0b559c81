import type { ComponentChildren } from "preact";
import { WORD_BUTTON } from "@/lib/ui/class_names.ts";

/** What can be done with a row, as underlined words beside each other. */
export function ActionWords({ children }: { children: ComponentChildren }) {
  return (
    <div class="inline-flex flex-wrap items-center justify-end gap-x-4 @max-[42rem]:justify-start">
      {children}
    </div>
  );
}

interface ActionLinkProps {
  readonly href: string;
  /** What it is about, for those who hear the word alone. */
  readonly about: string;
  readonly children: ComponentChildren;
}

/** A word that leads to where something is done. */
export function ActionLink({ href, about, children }: ActionLinkProps) {
  return (
    <a class="link inline-flex min-h-8 items-center text-small font-medium" href={href}>
      {children}
      <span class="sr-only">
        : <bdi>{about}</bdi>
      </span>
    </a>
  );
}

interface ActionButtonProps {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** What it says in full, for those who hear it alone. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly children: ComponentChildren;
}

/** A word that does something at once. */
export function ActionButton({ action, fields, label, isDisabled = false, children }: ActionButtonProps) {
  return (
    <form method="post" class="inline" data-action={action}>
      <input type="hidden" name="action" value={action} />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button
        type="submit"
        class={`${WORD_BUTTON} min-h-8 disabled:cursor-default disabled:opacity-50`}
        aria-label={label}
        disabled={isDisabled}
      >
        {children}
      </button>
    </form>
  );
}
