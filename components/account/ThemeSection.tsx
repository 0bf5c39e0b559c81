import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { type Theme, THEMES } from "@/lib/ui/themes.ts";
import { AccountSection } from "./AccountSection.tsx";

const NAMES: Readonly<Record<Theme, string>> = { system: "As the system", light: "Light", dark: "Dark" };

/** In which colours this browser is shown the whole site. */
export function ThemeSection({ theme }: { theme: Theme }) {
  return (
    <AccountSection id="theme" title="Colours" text="For every page of this site, in this browser alone.">
      <form method="post" action="/account">
        <input type="hidden" name="action" value="theme" />
        <div role="group" aria-labelledby="theme-title" class="flex flex-wrap gap-3">
          {THEMES.map((name) => (
            <button
              key={name}
              type="submit"
              name="theme"
              value={name}
              aria-pressed={name === theme}
              class={`${QUIET_BUTTON} aria-pressed:border-ink aria-pressed:bg-wash`}
            >
              {NAMES[name]}
            </button>
          ))}
        </div>
      </form>
    </AccountSection>
  );
}
