import type { ComponentChildren } from "preact";

/** Renders a page's title and, if given, a sentence that introduces the page. */
export function PageTitle({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <>
      <h1>{title}</h1>
      {children !== undefined && <p class="mt-3 max-w-[46ch] text-balance text-soft">{children}</p>}
    </>
  );
}
