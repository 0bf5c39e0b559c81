import type { ComponentChildren } from "preact";

interface AccountSectionProps {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Purpose of the section and the effects of a change. */
  readonly text: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders a section of the account page: title and purpose, with the controls beside them. */
export function AccountSection({ id, title, text, children }: AccountSectionProps) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      class="grid gap-x-12 gap-y-5 border-t border-rule py-8 md:grid-cols-[15rem_minmax(0,1fr)] md:py-10"
    >
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="mt-2 max-w-[52ch] text-small text-soft">{text}</p>
      </div>
      <div class="max-w-[30rem] min-w-0">{children}</div>
    </section>
  );
}
