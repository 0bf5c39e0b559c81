import type { ComponentChildren } from "preact";

interface AccountSectionProps {
  /** Once on a page. */
  readonly id: string;
  readonly title: string;
  /** What the section is for, and what changing something there brings about. */
  readonly text: ComponentChildren;
  readonly children: ComponentChildren;
}

/** One part of the account: its title and what it is for, and beside them what one can do. */
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
