import { type Theme, THEMES } from "@/lib/ui/themes.ts";

interface ThemeButtonsProps {
  readonly theme: Theme;
  readonly names: Readonly<Record<Theme, string>>;
  readonly class: string;
}

/** Renders one button per color scheme; the active one is pressed, and underlined in forced colors. */
export function ThemeButtons({ theme, names, class: classes }: ThemeButtonsProps) {
  return (
    <>
      {THEMES.map((name) => (
        <button
          key={name}
          type="submit"
          name="theme"
          value={name}
          aria-pressed={name === theme}
          class={`${classes} forced-colors:aria-pressed:underline`}
        >
          {names[name]}
        </button>
      ))}
    </>
  );
}
