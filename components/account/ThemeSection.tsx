import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import type { Theme } from "@/lib/ui/themes.ts";
import { ThemeButtons } from "../ThemeButtons.tsx";
import { AccountSection } from "./AccountSection.tsx";

const NAMES: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

/** Renders the section that sets the color scheme of the whole site in this browser. */
export function ThemeSection({ theme }: { theme: Theme }) {
  return (
    <AccountSection id="theme" title="Theme" text="Applies to all pages of this site in this browser.">
      <form method="post" action="/account">
        <input type="hidden" name="action" value="theme" />
        <div role="group" aria-labelledby="theme-title" class="flex flex-wrap gap-3">
          <ThemeButtons
            theme={theme}
            names={NAMES}
            class={`${QUIET_BUTTON} aria-pressed:border-ink aria-pressed:bg-wash forced-colors:aria-pressed:border-[Highlight]`}
          />
        </div>
      </form>
    </AccountSection>
  );
}
