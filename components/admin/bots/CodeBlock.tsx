/** Renders code with a title; long lines wrap. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure class="grid gap-1.5">
      <figcaption class="text-small font-strong">{title}</figcaption>
      <pre class="rounded-control border border-rule bg-paper px-3 py-2 text-small wrap-anywhere whitespace-pre-wrap"><code dir="ltr">{code}</code></pre>
    </figure>
  );
}
