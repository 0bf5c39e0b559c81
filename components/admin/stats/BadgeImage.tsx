interface BadgeImageProps {
  readonly label: string;
  readonly message: string;
  /** Text alternative. */
  readonly title: string;
}

/** Approximate width of a letter, padding beside a text, and height, in SVG units. */
const LETTER = 6.6;
const SPACE = 7;
const HEIGHT = 20;

/** Renders a badge in the layout of badge services, with its English text in this server's colors. */
export function BadgeImage({ label, message, title }: BadgeImageProps) {
  const left = widthOf(label);
  const right = widthOf(message);
  const width = left + right;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width * 1.2}
      height={HEIGHT * 1.2}
      role="img"
      aria-label={title}
      class="max-w-full font-sans"
      font-size="11"
      text-anchor="middle"
    >
      <rect width={width} height={HEIGHT} rx="3.5" class="fill-ink" />
      <path
        d={`M${left} 0h${right - 3.5}a3.5 3.5 0 0 1 3.5 3.5v13a3.5 3.5 0 0 1 -3.5 3.5h-${right - 3.5}z`}
        class="fill-accent"
      />
      <text lang="en" x={left / 2} y="14" class="fill-paper">{label}</text>
      <text lang="en" x={left + right / 2} y="14" class="fill-paper" font-weight="550">{message}</text>
    </svg>
  );
}

function widthOf(text: string): number {
  return Math.round(2 * SPACE + text.length * LETTER);
}
