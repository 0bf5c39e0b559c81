/** Renders the product's name, with the outline of an invisible character. */
export function Wordmark() {
  return (
    <span class="inline-flex items-baseline gap-1 font-serif text-h2 font-medium leading-none tracking-[-0.01em]">
      Sotto
      <span class="ghost-[0.62em] translate-y-[0.02em]" aria-hidden="true" />
    </span>
  );
}
