import { type Theme, THEMES } from "@/lib/ui/themes.ts";

interface ThemeButtonsProps {
  readonly theme: Theme;
  readonly names: Readonly<Record<Theme, string>>;
  readonly class: string;
}

/** A button for each choice of colours; the one that is in force is pressed. */
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
          class={classes}
        >
          {names[name]}
        </button>
      ))}
    </>
  );
}
